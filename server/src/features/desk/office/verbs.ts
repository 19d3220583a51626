import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import type { StaffVerb } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import { closeAlarmOf } from '#features/base/alarms/staff.ts';
import { allowAccountFor } from '#features/money/autopay/allow-account.ts';
import { stopAutopayFor } from '#features/money/autopay/switch.ts';
import { addChargeTo, waiveChargeOf, writeOffChargesOf } from '#features/money/counter/charges.ts';
import { closeDrawerOf } from '#features/money/drawers/close.ts';
import {
  addCreditTo,
  moveCreditTo,
  payOutCreditOf,
  reverseCreditOf,
} from '#features/money/counter/credits.ts';
import { closeMonthOf, nameAccountOf } from '#features/money/journal/close.ts';
import { mailReceiptOf } from '#features/money/counter/mail-receipt.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { printLateLettersOf } from '#features/money/late-notices/print.ts';
import { sendLateNoticesOf } from '#features/money/late-notices/send.ts';
import { addFormFor, retireFormOf } from '#features/service/esign/forms.ts';
import {
  resendDocumentOf,
  sendDocumentFor,
  voidDocumentOf,
} from '#features/service/esign/staff.ts';
import { inviteTenantsOf } from '#features/people/users/invite.ts';
import {
  authorizePersonFor,
  endAuthorizationOf,
} from '#features/service/gate-access/authorized-persons.ts';
import { changeCodeOf } from '#features/service/gate-access/staff.ts';
import { acceptProofOf, refuseProofOf } from '#features/service/insurance/proofs.ts';
import { assignRentalOf } from '#features/rentals/rentals/assign.ts';
import { endHoldOf, holdRentalOf } from '#features/rentals/rentals/hold.ts';
import { changeTaxOf, changeTenantTaxOf } from '#features/rentals/rentals/tax.ts';
import { mailQuoteOf, moveInOf, quoteMoveInOf } from '#features/rentals/rentals/move-in.ts';
import { issueStatementFor } from '#features/money/statements/issue.ts';
import { createPayLinkFor, revokePayLinkOf } from '#features/money/pay-links/staff.ts';
import { moveOutOf } from '#features/rentals/rentals/move-out.ts';
import { overlockUnitOf, releaseUnitOf } from '#features/rentals/rentals/overlock.ts';
import { changeRateOf } from '#features/rentals/rentals/rate.ts';
import { transferUnitOf } from '#features/rentals/rentals/transfer.ts';
import {
  addUnitsTo,
  changeStreetRateOf,
  closeUnitOf,
  openUnitOf,
  renameUnitTypeOf,
} from '#features/rentals/rentals/units.ts';
import type { StaffCall } from '#features/base/staff-actions/staff-actions.ts';
import {
  addTenantRecord,
  changeEmailOf,
  changeRecordOf,
  joinTenantsOf,
} from '#features/rentals/tenants/staff-records.ts';
import { recordDeathOf, revokeDeathOf } from '#features/rentals/tenants/estates.ts';
import { acceptTenantOf, refuseTenantOf } from '#features/rentals/tenants/marks.ts';
import type { OfficeRoutes } from '#http/office-routes.ts';
import { facilityIdsOf } from './places.ts';
import { undoImportOf } from './undo-import.ts';

type Work = (ctx: Context, call: StaffCall, body: unknown) => Promise<object>;

/** What does each verb, of the office and of the command line. */
export const verbWorks: Record<OfficeVerbName, Work> = {
  'tenants.add': addTenantRecord,
  'tenants.change': changeRecordOf,
  'tenants.email': changeEmailOf,
  'tenants.refuse': refuseTenantOf,
  'tenants.accept': acceptTenantOf,
  'tenants.tax': changeTenantTaxOf,
  'tenants.recordDeath': recordDeathOf,
  'tenants.revokeDeath': revokeDeathOf,
  'tenants.join': joinTenantsOf,
  'tenants.invite': inviteTenantsOf,
  'payments.record': recordPaymentFor,
  'payments.reverse': reversePaymentOf,
  'payments.refund': refundPaymentOf,
  'payments.mailReceipt': mailReceiptOf,
  'payments.allowAccount': allowAccountFor,
  'payLinks.create': createPayLinkFor,
  'payLinks.revoke': revokePayLinkOf,
  'statements.issue': issueStatementFor,
  'forms.add': addFormFor,
  'forms.retire': retireFormOf,
  'documents.send': sendDocumentFor,
  'documents.resend': resendDocumentOf,
  'documents.void': voidDocumentOf,
  'drawers.close': closeDrawerOf,
  'charges.add': addChargeTo,
  'charges.waive': waiveChargeOf,
  'charges.writeOff': writeOffChargesOf,
  'credits.add': addCreditTo,
  'credits.move': moveCreditTo,
  'credits.payOut': payOutCreditOf,
  'credits.reverse': reverseCreditOf,
  'rentals.quote': quoteMoveInOf,
  'rentals.mailQuote': mailQuoteOf,
  'rentals.moveIn': moveInOf,
  'rentals.moveOut': moveOutOf,
  'rentals.transfer': transferUnitOf,
  'rentals.assign': assignRentalOf,
  'rentals.rate': changeRateOf,
  'rentals.overlock': overlockUnitOf,
  'rentals.release': releaseUnitOf,
  'rentals.tax': changeTaxOf,
  'rentals.hold': holdRentalOf,
  'rentals.endHold': endHoldOf,
  'rentals.changeCode': changeCodeOf,
  'rentals.authorize': authorizePersonFor,
  'rentals.endAuthorization': endAuthorizationOf,
  'insurance.accept': acceptProofOf,
  'insurance.refuse': refuseProofOf,
  'notices.send': sendLateNoticesOf,
  'notices.print': printLateLettersOf,
  'autopay.stop': stopAutopayFor,
  'alarms.close': closeAlarmOf,
  'journal.close': closeMonthOf,
  'journal.account': nameAccountOf,
  'units.add': addUnitsTo,
  'units.renameType': renameUnitTypeOf,
  'units.rate': changeStreetRateOf,
  'units.close': closeUnitOf,
  'units.open': openUnitOf,
  'imports.undo': undoImportOf,
};

/** The calls of the verbs. Who does it is the member who is signed in, whatever the body says. */
export function verbRoutes({ staff: staffRoute }: OfficeRoutes): void {
  for (const name of Object.keys(verbWorks) as OfficeVerbName[]) {
    const endpoint: OfficeEndpoint & { verb: StaffVerb } = officeVerbs[name];
    staffRoute(endpoint, async ({ work, body, staff, origin }) => {
      const { key, why, isPreview, locationCode, ...rest } = body as VerbCallBody;
      const facilityIds = facilityIdsOf(staff, locationCode);
      const by = { by: staff.name, staff: { id: staff.staffId, role: staff.role }, origin };
      const call = { key, ...by, session: staff, why, facilityIds, isPreview };
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
