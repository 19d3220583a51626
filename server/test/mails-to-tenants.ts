import { passkeyEmail } from '#features/people/passkeys/emails.ts';
import * as registration from '#features/people/registration/emails.ts';
import { newSignInEmail } from '#features/people/session/emails.ts';
import * as tenants from '#features/rentals/tenants/emails.ts';
import { accessChangedEmail, invitationEmail } from '#features/people/users/emails.ts';
import { accountPostingEmail } from '#emails/account-posting.ts';
import { addedToAccountEmail } from '#emails/added-to-account.ts';
import { cardExpiresEmail } from '#emails/autopay-card-expires.ts';
import { autopayDeclinedEmail } from '#emails/autopay-declined.ts';
import { autopayOffEmail } from '#emails/autopay-off.ts';
import { calendarFeedEmail } from '#emails/calendar-feed.ts';
import { action, hello, type Email } from '#emails/email.ts';
import { finalStatementEmail } from '#emails/final-statement.ts';
import { personAuthorizedEmail } from '#emails/person-authorized.ts';
import { gateCodeChangedEmail } from '#emails/gate-code-changed.ts';
import { documentSignedEmail } from '#emails/document-signed.ts';
import { documentToSignEmail } from '#emails/document-to-sign.ts';
import { lateNoticeEmail } from '#emails/late-notice.ts';
import { mandateEmail } from '#emails/mandate.ts';
import { mergedEmail } from '#emails/merged.ts';
import { payPath, type Owed } from '#emails/owed.ts';
import { payLinkEmail } from '#emails/pay-link.ts';
import { disputeWonEmail, paymentDisputedEmail } from '#emails/payment-disputed.ts';
import { paymentReturnedEmail } from '#emails/payment-returned.ts';
import { proofCheckedEmail } from '#emails/proof-checked.ts';
import { quoteEmail } from '#emails/quote.ts';
import { rateCancelledEmail } from '#emails/rate-cancelled.ts';
import { rateChangeEmail } from '#emails/rate-change.ts';
import { receiptEmail } from '#emails/receipt.ts';
import { refundedEmail } from '#emails/refunded.ts';
import { reminderEmail } from '#emails/reminder.ts';
import { rentalAssignedEmail } from '#emails/rental-assigned.ts';
import { requestChangedEmail } from '#emails/request-changed.ts';
import { statementEmail } from '#emails/statement.ts';
import { unitLockEmail } from '#emails/unit-lock.ts';
import { unitTransferEmail } from '#emails/unit-transfer.ts';
import { paperExpiresEmail } from '#emails/vehicle-paper-expires.ts';

const on = '2026-11-05';
const [name, phone, firstName, unitName] = ['Lakeside', '8175550103', 'Dana', 'A101'];
const method = 'Visa ending in 4242';
const ledgerId = '7d1f0a86-3c55-4b6e-9a44-2f5b8c1d9e01';
const owed: Owed[] = [
  { ledgerId, unitName, cents: 20_450, gate: { cents: 20_450, lastDay: null } },
];
const owedLater: Owed[] = [
  { ledgerId, unitName, cents: 20_450, gate: { cents: 20_450, lastDay: on } },
];
const contact = { name, phone, firstName, unitName };
const unnumbered = { ...contact, phone: null };
const addressed = { firstName, unitName, facilityName: name, facilityPhone: phone, method };
const uncalled = { ...addressed, facilityPhone: null };
const unitNames = ['A101', 'B207'];
const paid = { ...addressed, paidOn: on, cents: 20_450, units: [{ unitName, cents: 20_450 }] };
export const returned = {
  ...paid,
  unitNames,
  feeCents: 2500,
  feeName: 'Returned payment fee',
  reason: 'the account is closed',
  owed,
};
const reminder = {
  ...addressed,
  on,
  cents: 20_450,
  balanceCents: 450,
  payBy: null,
  isSuspended: false,
  payUrl: 'https://x/pay',
  signInUrl: payPath(ledgerId),
  stopUrl: 'https://x/stop',
};
const charge = { dueOn: on, price: 100, discount: 5, tax1: 8, tax2: 0, amount: 103 };
const quoted = [{ ...charge, description: 'Rent 11/5/2026 - 12/4/2026' }];
const quote = { movedInOn: on, rate: 100, total: 103, charges: quoted };
const receipt = { unitName, number: '1000042', cents: 20_450, gateAdvice: null };
const receipts = {
  ...addressed,
  postedOn: on,
  isPending: true,
  isAutopay: true,
  takenBackCents: 100,
  receipts: [receipt, { ...receipt, unitName: 'B207' }],
};
const request = {
  firstName,
  reference: 'R-100042',
  about: 'M-1',
  facility: contact,
  status: 'S-1',
  reply: null,
};
const transfer = { ...contact, fromUnit: 'A101', toUnit: 'B207', on, rate: { cents: 9900, on } };
const settled = {
  ...contact,
  movedOutOn: on,
  beforeCents: 5000,
  balanceCents: -1000,
  refundedCents: 500,
  byHandCents: 500,
  lines: [{ description: 'Unused days 11/5/2026 - 11/13/2026', cents: -6000 }],
};
const bill = { dueOn: on, lines: [], totalCents: 9900 };
const rate = {
  ...addressed,
  ...{ on, fromCents: 9000, toCents: 9900, bill, autopayMethod: method },
  replaced: { toCents: 9500, on },
};
const asked = { reference: 'R-100042', email: 'new@example.com', url: 'https://x/o', days: 7 };
const place = { ...contact, address: '1 Main St' };
const postings = {
  entries: [{ unitName, description: 'Waived: Late fee', amount: -15, dueOn: null }],
  balances: [
    { unitName, balance: -5 },
    { unitName: 'B207', balance: 5 },
  ],
};

/** By file of this folder, or by what it is about: each mail to tenants, in each of its forms. */
export const mailsToTenants: Record<string, (() => Email)[]> = {
  'account-posting': [
    () => accountPostingEmail({ ...contact, ...postings, owedOn: '2026-12-05', owed: [] }),
    ...[owed, owedLater].map((some) => () => {
      const entries = [{ unitName, description: 'Late fee', amount: 15, dueOn: on }];
      const balances = [{ unitName, balance: 204.5 }];
      return accountPostingEmail({ ...contact, entries, balances, owedOn: null, owed: some });
    }),
  ],
  'added-to-account': [
    () => addedToAccountEmail('license', addressed),
    () => addedToAccountEmail('phone', uncalled),
  ],
  'autopay-card-expires': [
    () =>
      cardExpiresEmail({
        ...addressed,
        ledgerId,
        unitNames,
        lastDay: on,
        nextCharge: { date: on, cents: 9900 },
      }),
  ],
  'autopay-declined': [
    ...[null, on].map((retryOn) => () => {
      const message = 'Your bank declined this card. Please use another card.';
      return autopayDeclinedEmail({ ...addressed, on, cents: 9900, message, retryOn, owed });
    }),
  ],
  'autopay-off': [
    () => autopayOffEmail({ ...addressed, unitNames, reason: 'switchedOff' }),
    () => autopayOffEmail({ ...addressed, unitNames: ['A101'], reason: 'disputed' }),
    () =>
      autopayOffEmail({
        ...uncalled,
        unitNames,
        reason: 'returned',
        because: 'the account is closed',
      }),
  ],
  'calendar-feed': [() => calendarFeedEmail(contact), () => calendarFeedEmail(unnumbered)],
  'final-statement': [
    () => finalStatementEmail(settled),
    () => finalStatementEmail({ ...settled, balanceCents: 1000 }),
  ],
  'gate-code-changed': [() => gateCodeChangedEmail(contact)],
  'person-authorized': [() => personAuthorizedEmail({ ...contact, person: 'Ada Okafor' })],
  'proof-checked': [null, ''].map(
    (refusal) => () =>
      proofCheckedEmail({ ...contact, company: 'Lone Star', policyNumber: 'LS-1', refusal }),
  ),
  'late-notice': [
    () => lateNoticeEmail({ subject: '', text: '', rows: [], url: payPath(ledgerId, true) }),
  ],
  'document-signed': [
    () => documentSignedEmail({ facility: contact, name: firstName, documentName: '', unitName }),
  ],
  'document-to-sign': [
    () =>
      documentToSignEmail({
        facility: contact,
        name: firstName,
        documentName: '',
        unitName,
        url: 'https://x/sign/x',
        endsOn: '12/5/2026',
      }),
  ],
  mandate: [() => mandateEmail({ ...addressed, text: '' })],
  merged: [() => mergedEmail('', [{ subject: '', blocks: [hello(firstName), action('', '/')] }])],
  'pay-link': [
    () =>
      payLinkEmail({
        facility: contact,
        firstName,
        unitName,
        amount: 99,
        url: 'https://x/pay',
        days: 7,
      }),
  ],
  'payment-disputed': [
    () => paymentDisputedEmail({ ...paid, owed }),
    () => disputeWonEmail({ ...paid, feeCents: 1500 }),
  ],
  'payment-returned': [() => paymentReturnedEmail(returned)],
  quote: [
    () => quoteEmail({ firstName, facility: contact, unitName, quote: quote as unknown as Quote }),
  ],
  'rate-cancelled': [() => rateCancelledEmail({ ...contact, rateCents: 9000, toCents: 9900, on })],
  'rate-change': [() => rateChangeEmail(rate), () => rateChangeEmail({ ...rate, replaced: null })],
  receipt: [
    () => receiptEmail(receipts),
    () => receiptEmail({ ...receipts, receipts: Array<typeof receipt>(21).fill(receipt) }),
    () => receiptEmail({ ...receipts, isAutopay: false, receipts: [receipt] }),
  ],
  refunded: [
    () =>
      refundedEmail({
        ...paid,
        of: paid,
        number: '1',
        way: () => 'W',
        owedOn: '2026-12-05',
        owed: owedLater,
      }),
    () =>
      refundedEmail({
        ...paid,
        ...uncalled,
        of: null,
        number: '1',
        way: () => 'W',
        owedOn: null,
        owed: [],
      }),
  ],
  reminder: [
    ...(['rent_soon', 'rent_today', 'gate_soon'] as const).map(
      (kind) => () => reminderEmail({ ...reminder, kind }),
    ),
    () => reminderEmail({ ...reminder, kind: 'rent_soon', balanceCents: -450, payUrl: null }),
    () => reminderEmail({ ...reminder, kind: 'rent_today', payBy: on, payUrl: null }),
    () => reminderEmail({ ...reminder, kind: 'rent_today', isSuspended: true }),
  ],
  'request-changed': [
    () => requestChangedEmail(request),
    () => requestChangedEmail({ ...request, reply: '' }),
  ],
  statement: [
    () =>
      statementEmail({
        firstName,
        facilityName: name,
        number: 'S-1',
        period: { month: '2026-10', firstOn: null, lastOn: null },
      }),
  ],
  'unit-lock': [true, false].map(
    (isOverlocked) => () => unitLockEmail({ ...contact, isOverlocked, gateAdvice: null }),
  ),
  'rental-assigned': [true, false].map(
    (isNew) => () => rentalAssignedEmail({ ...contact, on, owedCents: 20_450, isNew }),
  ),
  'unit-transfer': [
    () => unitTransferEmail(transfer),
    () => unitTransferEmail({ ...transfer, isCancelled: true }),
  ],
  'vehicle-paper-expires': (['registration', 'insurance'] as const).flatMap((kind) =>
    [null, 'Vista 31BE'].map(
      (vehicle) => () => paperExpiresEmail({ ...addressed, vehicle, kind, expiresOn: on }),
    ),
  ),
  'a registration': [
    () => registration.codeEmail(contact, '01234567'),
    () => registration.notOnFileEmail(unnumbered),
    () => registration.sharedAddressEmail(contact),
    () => registration.welcomeEmail(contact),
    () => registration.passwordChangedEmail(contact),
  ],
  'a sign-in': [
    () => newSignInEmail(contact),
    () => passkeyEmail('added', 'Phone', contact),
    () => passkeyEmail('removed', 'Phone', contact),
    () => invitationEmail(place),
    () => accessChangedEmail('disabled', contact),
    () => accessChangedEmail('enabled', contact),
  ],
  'a change of address': [
    () => tenants.oldAddressEmail(contact),
    () => tenants.newAddressEmail(place),
    () => tenants.emailChangeAskedEmail(contact, asked),
  ],
};

type Quote = Parameters<typeof quoteEmail>[0]['quote'];
