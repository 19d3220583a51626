import { isAtLeast, type OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import type { StaffVerb } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import { closeAlarmOf } from '#features/alarms/staff.ts';
import { allowAccountFor } from '#features/autopay/allow-account.ts';
import { stopAutopayFor } from '#features/autopay/switch.ts';
import { addChargeTo, waiveChargeOf } from '#features/counter/charges.ts';
import { closeDrawerOf } from '#features/drawers/close.ts';
import { addCreditTo, moveCreditTo, reverseCreditOf } from '#features/counter/credits.ts';
import { mailReceiptOf } from '#features/counter/mail-receipt.ts';
import { recordPaymentFor } from '#features/counter/record-payment.ts';
import { refundPaymentOf } from '#features/counter/refund-payment.ts';
import { reversePaymentOf } from '#features/counter/reverse-payment.ts';
import { sendLateNoticesOf } from '#features/late-notices/send.ts';
import { changeCodeOf } from '#features/gate-access/staff.ts';
import { endHoldOf, holdRentalOf } from '#features/rentals/hold.ts';
import { mailQuoteOf, moveInOf, quoteMoveInOf } from '#features/rentals/move-in.ts';
import { createPayLinkFor, revokePayLinkOf } from '#features/pay-links/staff.ts';
import { moveOutOf } from '#features/rentals/move-out.ts';
import { overlockUnitOf, releaseUnitOf } from '#features/rentals/overlock.ts';
import { changeRateOf } from '#features/rentals/rate.ts';
import { transferUnitOf } from '#features/rentals/transfer.ts';
import type { StaffCall } from '#features/staff-actions/staff-actions.ts';
import { addTenantRecord, changeEmailOf } from '#features/tenants/staff-records.ts';
import type { OfficeRoutes } from '#http/office-routes.ts';
import { Refusal } from '#errors/refusal.ts';
import { facilityIdsOf } from './places.ts';

type Work = (ctx: Context, call: StaffCall, body: unknown) => Promise<object>;

/** What does each verb, of the office and of the command line. */
export const verbWorks: Record<OfficeVerbName, Work> = {
  'tenants.add': addTenantRecord,
  'tenants.email': changeEmailOf,
  'payments.record': recordPaymentFor,
  'payments.reverse': reversePaymentOf,
  'payments.refund': refundPaymentOf,
  'payments.mailReceipt': mailReceiptOf,
  'payments.allowAccount': allowAccountFor,
  'payLinks.create': createPayLinkFor,
  'payLinks.revoke': revokePayLinkOf,
  'drawers.close': closeDrawerOf,
  'charges.add': addChargeTo,
  'charges.waive': waiveChargeOf,
  'credits.add': addCreditTo,
  'credits.move': moveCreditTo,
  'credits.reverse': reverseCreditOf,
  'rentals.quote': quoteMoveInOf,
  'rentals.mailQuote': mailQuoteOf,
  'rentals.moveIn': moveInOf,
  'rentals.moveOut': moveOutOf,
  'rentals.transfer': transferUnitOf,
  'rentals.rate': changeRateOf,
  'rentals.overlock': overlockUnitOf,
  'rentals.release': releaseUnitOf,
  'rentals.hold': holdRentalOf,
  'rentals.endHold': endHoldOf,
  'rentals.changeCode': changeCodeOf,
  'notices.send': sendLateNoticesOf,
  'autopay.stop': stopAutopayFor,
  'alarms.close': closeAlarmOf,
};

/** The calls of the verbs. Who does it is the member who is signed in, whatever the body says. */
export function verbRoutes({ staff: staffRoute }: OfficeRoutes): void {
  for (const name of Object.keys(verbWorks) as OfficeVerbName[]) {
    const endpoint: OfficeEndpoint & { verb: StaffVerb } = officeVerbs[name];
    const { managersFields = [] } = endpoint.verb;
    staffRoute(endpoint, async ({ work, body, staff }) => {
      const { key, why, isPreview, locationCode, ...rest } = body as VerbCallBody;
      const named = managersFields.find((field) => rest[field] !== undefined);
      if (named !== undefined && !isAtLeast(staff.role, 'manager'))
        throw new Refusal(
          403,
          `Your role, ${staff.role}, may not set the ${named}; a manager may.`,
        );
      const facilityIds = facilityIdsOf(staff, locationCode);
      const by = { by: staff.name, staff: { id: staff.staffId, role: staff.role } };
      const call = { key, ...by, why, facilityIds, isPreview };
      return await verbWorks[name](work, call, rest);
    });
  }
}

type VerbCallBody = {
  key: string;
  why: string;
  isPreview: boolean;
  locationCode?: string;
} & Record<string, unknown>;
