import { z } from 'zod/mini';
import { closeAlarm } from '../alarms.ts';
import { addCharge, waiveCharge } from '../counter-charges.ts';
import { mailReceipt, recordPayment, refundPayment, reversePayment } from '../counter-payments.ts';
import { addCredit, moveCredit, reverseCredit } from '../credits.ts';
import { closeDrawer } from '../drawers.ts';
import type { Schema } from '../endpoint.ts';
import { sendLateNotices } from '../late-notices.ts';
import {
  changeCode,
  changeRate,
  changeTax,
  endHold,
  hold,
  mailQuote,
  moveIn,
  moveOut,
  overlock,
  quoteMoveIn,
  release,
  transfer,
} from '../rentals.ts';
import { allowAccount, stopAutopay } from '../staff-autopay.ts';
import { createPayLink, revokePayLink } from '../staff-pay-links.ts';
import type { StaffVerb } from '../staff-verb.ts';
import { addTenant, changeTenantEmail } from '../tenant-records.ts';
import { changeKey } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

const REASON = 'Give the reason (why).';

/** What comes with a verb's body: the caller is the member who is signed in. */
const callFields = z.object({
  key: changeKey,
  why: z
    .string('Why must be text.')
    .check(z.trim(), z.maxLength(500, 'The reason (why) must be at most 500 characters.')),
  isPreview: z.boolean('IsPreview must be true or false.'),
  /** The facility that the action is for, where the body names none of its things. */
  locationCode: z.optional(z.string().check(z.maxLength(50, 'Location is too long.'))),
});

const moneyFields = z.extend(callFields, {
  why: callFields.shape.why.check(z.minLength(1, REASON)),
});

/**
 * The call of a verb: POST /office/verbs/{subject}/{action}, such as `rentals/move-out`. Its body
 * is the verb's own with `key`, `why` and `isPreview`; its reply is the verb's. The same key and
 * body answer the same again. 403 for a role that may not, 404 for what belongs to another
 * facility.
 */
function verbCall<Body extends Schema, Reply extends Schema>(verb: StaffVerb<Body, Reply>) {
  const [subject, action = ''] = verb.name.split('.').map(hyphenated);
  const body = z.intersection(verb.body, verb.isMoney ? moneyFields : callFields);
  const call = officeEndpoint({
    name: verb.name,
    summary: verb.summary,
    method: 'POST',
    path: `/office/verbs/${subject}/${action}`,
    access: 'staff',
    role: verb.role,
    body,
    reply: verb.reply,
    example: verb.example,
  });
  return { ...call, verb };
}

/** `moveOut` as `move-out`. */
function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
}

/** Every verb of staff as a call of the office, by the verb's name. */
export const officeVerbs = {
  'tenants.add': verbCall(addTenant),
  'tenants.email': verbCall(changeTenantEmail),
  'payments.record': verbCall(recordPayment),
  'payments.reverse': verbCall(reversePayment),
  'payments.refund': verbCall(refundPayment),
  'payments.mailReceipt': verbCall(mailReceipt),
  'payments.allowAccount': verbCall(allowAccount),
  'payLinks.create': verbCall(createPayLink),
  'payLinks.revoke': verbCall(revokePayLink),
  'drawers.close': verbCall(closeDrawer),
  'charges.add': verbCall(addCharge),
  'charges.waive': verbCall(waiveCharge),
  'credits.add': verbCall(addCredit),
  'credits.move': verbCall(moveCredit),
  'credits.reverse': verbCall(reverseCredit),
  'rentals.quote': verbCall(quoteMoveIn),
  'rentals.mailQuote': verbCall(mailQuote),
  'rentals.moveIn': verbCall(moveIn),
  'rentals.moveOut': verbCall(moveOut),
  'rentals.transfer': verbCall(transfer),
  'rentals.rate': verbCall(changeRate),
  'rentals.overlock': verbCall(overlock),
  'rentals.release': verbCall(release),
  'rentals.tax': verbCall(changeTax),
  'rentals.hold': verbCall(hold),
  'rentals.endHold': verbCall(endHold),
  'rentals.changeCode': verbCall(changeCode),
  'notices.send': verbCall(sendLateNotices),
  'autopay.stop': verbCall(stopAutopay),
  'alarms.close': verbCall(closeAlarm),
};
export type OfficeVerbName = keyof typeof officeVerbs;
