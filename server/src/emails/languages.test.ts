import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { passkeyEmail } from '#features/people/passkeys/emails.ts';
import * as registration from '#features/people/registration/emails.ts';
import { newSignInEmail } from '#features/people/session/emails.ts';
import * as tenants from '#features/rentals/tenants/emails.ts';
import { accessChangedEmail, invitationEmail } from '#features/people/users/emails.ts';
import { accountPostingEmail } from './account-posting.ts';
import { addedToAccountEmail } from './added-to-account.ts';
import { cardExpiresEmail } from './autopay-card-expires.ts';
import { autopayDeclinedEmail } from './autopay-declined.ts';
import { autopayOffEmail } from './autopay-off.ts';
import { calendarFeedEmail } from './calendar-feed.ts';
import type { Email } from './email.ts';
import { finalStatementEmail } from './final-statement.ts';
import { gateCodeChangedEmail } from './gate-code-changed.ts';
import { lateNoticeEmail } from './late-notice.ts';
import { mandateEmail } from './mandate.ts';
import { mergedEmail } from './merged.ts';
import { payLinkEmail } from './pay-link.ts';
import { disputeWonEmail, paymentDisputedEmail } from './payment-disputed.ts';
import { paymentReturnedEmail } from './payment-returned.ts';
import { quoteEmail } from './quote.ts';
import { rateCancelledEmail } from './rate-cancelled.ts';
import { rateChangeEmail } from './rate-change.ts';
import { receiptEmail } from './receipt.ts';
import { refundedEmail } from './refunded.ts';
import { reminderEmail } from './reminder.ts';
import { requestChangedEmail } from './request-changed.ts';
import { statementEmail } from './statement.ts';
import { unitLockEmail } from './unit-lock.ts';
import { unitTransferEmail } from './unit-transfer.ts';
import { paperExpiresEmail } from './vehicle-paper-expires.ts';

const on = '2026-11-05';
const [name, phone, firstName, unitName] = ['Lakeside', '8175550103', 'Dana', 'A101'];
const method = 'Visa ending in 4242';
const contact = { name, phone, firstName, unitName };
const unnumbered = { ...contact, phone: null };
const addressed = { firstName, unitName, facilityName: name, facilityPhone: phone, method };
const uncalled = { ...addressed, facilityPhone: null };
const unitNames = ['A101', 'B207'];
const paid = { ...addressed, paidOn: on, cents: 20_450, units: [{ unitName, cents: 20_450 }] };
const returned = {
  ...paid,
  unitNames,
  feeCents: 2500,
  feeName: 'Returned payment fee',
  reason: 'the account is closed',
};
const reminder = {
  ...addressed,
  on,
  cents: 20_450,
  balanceCents: 450,
  payBy: null,
  isSuspended: false,
  payUrl: 'https://x/pay',
  signInUrl: 'https://x/in',
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
  url: 'https://x/account',
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
  entries: [{ unitName, description: 'Waived: Late fee', amount: -15 }],
  balances: [
    { unitName, balance: -5 },
    { unitName: 'B207', balance: 5 },
  ],
};

/** By file of this folder, or by what it is about: each mail to tenants, in each of its forms. */
const mails: Record<string, (() => Email)[]> = {
  'account-posting': [() => accountPostingEmail({ ...contact, ...postings, owedOn: '2026-12-05' })],
  'added-to-account': [
    () => addedToAccountEmail('license', addressed),
    () => addedToAccountEmail('phone', uncalled),
  ],
  'autopay-card-expires': [
    () =>
      cardExpiresEmail({
        ...addressed,
        unitNames,
        lastDay: on,
        nextCharge: { date: on, cents: 9900 },
      }),
  ],
  'autopay-declined': [
    ...[null, on].map((retryOn) => () => {
      const message = 'Your bank declined this card. Please use another card.';
      return autopayDeclinedEmail({ ...addressed, on, cents: 9900, message, retryOn });
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
  'late-notice': [() => lateNoticeEmail({ subject: '', text: '', rows: [], url: 'https://x' })],
  mandate: [() => mandateEmail({ ...addressed, text: '' })],
  merged: [() => mergedEmail('', [{ subject: '', blocks: [{ kind: 'code', text: '' }] }])],
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
    () => paymentDisputedEmail(paid),
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
    () => refundedEmail({ ...paid, of: paid, number: '1', way: () => 'W', owedOn: '2026-12-05' }),
    () =>
      refundedEmail({ ...paid, ...uncalled, of: null, number: '1', way: () => 'W', owedOn: null }),
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
    () => statementEmail({ firstName, facilityName: name, number: 'S-1', month: '2026-10' }),
  ],
  'unit-lock': [true, false].map(
    (isOverlocked) => () => unitLockEmail({ ...contact, isOverlocked, gateAdvice: null }),
  ),
  'unit-transfer': [
    () => unitTransferEmail(transfer),
    () => unitTransferEmail({ ...transfer, isCancelled: true }),
  ],
  'vehicle-paper-expires': (['registration', 'insurance'] as const).map(
    (kind) => () => paperExpiresEmail({ ...addressed, kind, expiresOn: on }),
  ),
  'a registration': [
    () => registration.codeEmail(contact, '01234567'),
    () => registration.notOnFileEmail(unnumbered),
    () => registration.welcomeEmail(contact),
    () => registration.passwordChangedEmail(contact),
  ],
  'a sign-in': [
    () => newSignInEmail(contact),
    () => passkeyEmail('added', 'Phone', contact),
    () => passkeyEmail('removed', 'Phone', contact),
    () => invitationEmail(place, 'https://x'),
    () => accessChangedEmail('disabled', contact),
    () => accessChangedEmail('enabled', contact),
  ],
  'a change of address': [
    () => tenants.oldAddressEmail(contact),
    () => tenants.newAddressEmail(place, 'https://x'),
    () => tenants.emailChangeAskedEmail(contact, asked),
  ],
};

type Quote = Parameters<typeof quoteEmail>[0]['quote'];

/** What of a mail is our words, not a value of a row. */
function wordsOf({ subject, blocks }: Email): string[] {
  const words = blocks.flatMap((block) => {
    if (block.kind === 'facts') return block.facts.map(([label]) => label);
    if (block.kind === 'link') return [block.label];
    return block.kind === 'code' ? [] : [block.text];
  });
  // The same in both languages.
  return [subject, ...words].filter((text) => text !== '' && text !== 'Total');
}

/** Words that no Spanish sentence has. */
const ENGLISH = /\b(the|your|of|is|was|and|you|with|to|please|for|unit|ending)\b/i;

describe('a mail to a tenant', () => {
  test.each(Object.entries(mails))('about %s is in Spanish as a whole', (_, forms) => {
    for (const form of forms) {
      const english = wordsOf(inLanguage('en', form));
      const email = inLanguage('es', form);
      const spanish = wordsOf(email);
      expect(spanish).toHaveLength(english.length);
      expect(spanish.filter((text) => english.includes(text))).toEqual([]);
      const values = email.blocks.flatMap((block) =>
        block.kind === 'facts' ? block.facts.map(([, value]) => value) : [],
      );
      expect([...spanish, ...values].filter((text) => ENGLISH.test(text))).toEqual([]);
    }
  });

  test('is in the table above, whichever it is', () => {
    const apart = ['alarm', 'morning', 'call-facility', 'email', 'layout', 'render', 'units'];
    const files = readdirSync(import.meta.dirname)
      .filter((file) => /^[\w-]+\.ts$/.test(file))
      .map((file) => file.slice(0, -3))
      .filter((file) => !apart.includes(file));
    expect(Object.keys(mails)).toEqual(expect.arrayContaining(files));
  });

  // spec 10.75
  test('says in Spanish what it says in English', () => {
    const { subject, blocks } = inLanguage('es', () => paymentReturnedEmail(returned));
    expect(subject).toBe('Su banco devolvió su pago de $204.50');
    expect(blocks).toContainEqual({
      kind: 'paragraph',
      text: 'Su banco devolvió su pago de las unidades A101, B207 en Lakeside: la cuenta está cerrada. Lo que había pagado se debe de nuevo.',
    });
    expect(blocks).toContainEqual({
      kind: 'facts',
      facts: [
        ['Importe', '$204.50'],
        ['Pagado el', '5\u00a0nov\u00a02026'],
        ['Pagado con', 'Visa terminada en 4242'],
        ['Cargo por pago devuelto', '$25.00'],
      ],
    });
  });
});
