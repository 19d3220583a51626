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
import { officeEndpoint, type OfficeRole } from './office-endpoint.ts';

const REASON = 'Give the reason (why).';

/** The rules of a verb in the office. */
type VerbRules<Body extends Schema> = {
  /** The least role that may. */
  role: OfficeRole;
  /** Whether money moves, so that a reason is demanded, also of a preview. */
  isMoney: boolean;
  /** Fields of the body that only a manager may name. */
  managersFields?: (keyof z.output<Body> & string)[];
  /** Whether it is done by an account of staff only, so that it is no command. */
  isByAccount?: boolean;
};

/** What comes with a verb's body: the caller is whoever is signed in. */
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
function verbCall<Body extends Schema, Reply extends Schema>(
  verb: StaffVerb<Body, Reply>,
  { role, isMoney, managersFields = [], isByAccount = false }: VerbRules<Body>,
) {
  const [subject, action = ''] = verb.name.split('.').map(hyphenated);
  const body = z.intersection(verb.body, isMoney ? moneyFields : callFields);
  const call = officeEndpoint({
    name: verb.name,
    summary: verb.summary,
    method: 'POST',
    path: `/office/verbs/${subject}/${action}`,
    access: 'staff',
    role,
    body,
    reply: verb.reply,
    example: verb.example,
  });
  return { ...call, verb, isMoney, managersFields: managersFields as string[], isByAccount };
}

/** `moveOut` as `move-out`. */
function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
}

/** Every verb of staff as a call of the office, by the verb's name. */
export const officeVerbs = {
  'tenants.add': verbCall(addTenant, { role: 'clerk', isMoney: false }),
  'tenants.email': verbCall(changeTenantEmail, { role: 'manager', isMoney: false }),
  'payments.record': verbCall(recordPayment, { role: 'clerk', isMoney: true }),
  'payments.reverse': verbCall(reversePayment, { role: 'manager', isMoney: true }),
  'payments.refund': verbCall(refundPayment, { role: 'manager', isMoney: true }),
  'payments.mailReceipt': verbCall(mailReceipt, { role: 'clerk', isMoney: false }),
  'payments.allowAccount': verbCall(allowAccount, { role: 'manager', isMoney: false }),
  'payLinks.create': verbCall(createPayLink, { role: 'clerk', isMoney: true }),
  'payLinks.revoke': verbCall(revokePayLink, { role: 'clerk', isMoney: false }),
  'drawers.close': verbCall(closeDrawer, { role: 'clerk', isMoney: true, isByAccount: true }),
  'charges.add': verbCall(addCharge, { role: 'clerk', isMoney: true }),
  'charges.waive': verbCall(waiveCharge, { role: 'manager', isMoney: true }),
  'credits.add': verbCall(addCredit, { role: 'manager', isMoney: true }),
  'credits.move': verbCall(moveCredit, { role: 'manager', isMoney: true }),
  'credits.reverse': verbCall(reverseCredit, { role: 'manager', isMoney: true }),
  'rentals.quote': verbCall(quoteMoveIn, { role: 'clerk', isMoney: false }),
  'rentals.mailQuote': verbCall(mailQuote, { role: 'clerk', isMoney: false }),
  'rentals.moveIn': verbCall(moveIn, { role: 'clerk', isMoney: true }),
  'rentals.moveOut': verbCall(moveOut, { role: 'clerk', isMoney: true }),
  'rentals.transfer': verbCall(transfer, {
    role: 'clerk',
    isMoney: false,
    managersFields: ['rate'],
  }),
  'rentals.rate': verbCall(changeRate, { role: 'manager', isMoney: true }),
  'rentals.overlock': verbCall(overlock, { role: 'clerk', isMoney: false }),
  'rentals.release': verbCall(release, { role: 'clerk', isMoney: false }),
  'rentals.hold': verbCall(hold, { role: 'manager', isMoney: true }),
  'rentals.endHold': verbCall(endHold, { role: 'manager', isMoney: true }),
  'rentals.changeCode': verbCall(changeCode, { role: 'manager', isMoney: false }),
  'notices.send': verbCall(sendLateNotices, { role: 'clerk', isMoney: false }),
  'autopay.stop': verbCall(stopAutopay, { role: 'clerk', isMoney: false }),
  'alarms.close': verbCall(closeAlarm, { role: 'manager', isMoney: false }),
};
export type OfficeVerbName = keyof typeof officeVerbs;
