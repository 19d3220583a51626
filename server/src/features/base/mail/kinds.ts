import { t } from '@gatehouse/language/t';
import type { LimitName } from '#config/limits.ts';
import type { RequestKind } from '#db/tables.ts';

/**
 * How the mails of a kind are limited when they are sent. One that is over a limit is held until
 * the limit's window has ended, and goes with the others of its kind that are held for the same
 * address: `merged` is the subject of this many in one mail, in the current language, null where
 * each is sent by itself. `isDropped`: it is dropped instead.
 */
export type MailRule = {
  limits: readonly LimitName[];
  merged: ((count: number) => string) | null;
  isDropped?: true;
  isToStaff?: true;
  /** Whether it goes to the executor of a tenant who died; the others are not sent then. */
  isForExecutor?: true;
};

const ALIKE = 'mails-alike-in-ten-minutes';

/** Sent at once and each by itself: limited where it is asked for, or not the tenant's doing. */
const unlimited: MailRule = { limits: [], merged: null };

/** To a tenant, because of something that is not the tenant's doing. */
const notice = (merged: MailRule['merged']): MailRule => ({
  limits: [ALIKE, 'mails-to-an-address-an-hour', 'mails-to-an-address-a-day'],
  merged,
});

/** To staff, because of what a tenant does: not by address, so that no tenant uses up others'. */
const toStaff = (merged: MailRule['merged']): MailRule => ({
  limits: [
    ALIKE,
    'mails-of-a-tenant-an-hour',
    'mails-of-a-tenant-a-day',
    'mails-by-tenants-an-hour',
  ],
  merged,
  isToStaff: true,
});

const kinds = {
  /** A code, and what protects an account: a password, a sign-in, an address, an objection. */
  security: unlimited,
  /** A bill, a statement, and what the law or the contract wants in writing at its time. */
  legal: { ...unlimited, isForExecutor: true },
  /** A statement that staff issued, as often as they do. */
  statement: { limits: ['receipt-mails-a-day'], merged: null, isForExecutor: true },
  /** Several mails in one, which were counted before. */
  merged: { ...unlimited, isForExecutor: true },
  /**
   * To an address of which we know nothing; with a sum apart, so that strangers hold up no tenant.
   */
  not_on_file: {
    limits: ['not-on-file-mails-to-an-address-a-day', 'not-on-file-mails-an-hour'],
    merged: null,
    isDropped: true,
  },
  /** To whom a facility names, once a day. */
  morning: { ...unlimited, isToStaff: true },
  /** To the operator, never with a budget. */
  alarm: { limits: [ALIKE], merged: (count) => `${count} alarms`, isToStaff: true },
  receipt: {
    isForExecutor: true,
    limits: [ALIKE, 'receipt-mails-a-day'],
    merged: (count) => t('{count} receipts for your payments', { count }),
  },
  autopay: {
    limits: [
      ALIKE,
      'mails-of-a-tenant-an-hour',
      'mails-of-a-tenant-a-day',
      'mails-to-an-address-an-hour',
      'mails-to-an-address-a-day',
      'mails-by-tenants-an-hour',
    ],
    merged: (count) => t('{count} changes to your autopay', { count }),
  },
  autopay_declined: notice((count) => t('{count} payments by autopay were declined', { count })),
  card_expires: notice((count) => t('{count} cards of your autopay expire soon', { count })),
  paper_expires: notice((count) =>
    t('{count} papers of your vehicles or vessels expire soon', { count }),
  ),
  payment_changed: {
    ...notice((count) => t('{count} changes to your payments', { count })),
    isForExecutor: true,
  },
  quote: notice((count) => t('{count} quotes', { count })),
  /** Each by itself: what it says is read again before it is sent, and its kind can be stopped. */
  reminder: unlimited,
  late_notice: {
    ...notice((count) => t('{count} notices about what is past due', { count })),
    isForExecutor: true,
  },
  /** A link to pay by, with its sum: each by itself, because staff wait for it at the phone. */
  pay_link: unlimited,
  /** A link to sign by, or a signed copy: each by itself, with its button or its file. */
  document: unlimited,
  account_changed: notice((count) => t('{count} changes to your account', { count })),
  proof_checked: notice((count) => t('{count} answers to your proofs of insurance', { count })),
  request_changed: notice((count) => t('{count} updates on your requests', { count })),
  maintenance_request_form: toStaff((count) => `${count} maintenance requests`),
  insurance_request: toStaff((count) => `${count} protection plan changes`),
  request_gate_access_form: toStaff((count) => `${count} 24-hour access requests`),
  resend_esign_documents_form: toStaff((count) => `${count} requests for e-sign documents`),
  request_tenant_update: toStaff((count) => `${count} contact information updates`),
  autopayCreditCardToAch: toStaff((count) => `Autopay changed from card to ACH ${count} times`),
  notifyAchPayment: toStaff((count) => `${count} ACH payments`),
  move_out: toStaff((count) => `${count} move-outs`),
} as const satisfies Record<RequestKind, MailRule> & Record<string, MailRule>;

export type MailKind = keyof typeof kinds;

/** The kinds of the mails that go to staff, whomever they are about. */
export const kindsToStaff = (Object.keys(kinds) as MailKind[]).filter(
  (kind) => ruleOf(kind).isToStaff === true,
);

/** The rule of a stored kind; one of another release is sent as it is. */
export function ruleOf(kind: string): MailRule {
  return Object.hasOwn(kinds, kind) ? kinds[kind as MailKind] : unlimited;
}
