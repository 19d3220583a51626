import { addDays, formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import type { ReminderKind } from '@gatehouse/contract/reminders';
import { howToAsk } from './call-facility.ts';
import type { Block, Email } from './email.ts';

/**
 * A reminder; sums in cents. `on` is the due date of the rent, or the day from which the gate is
 * suspended; `balanceCents` what is owed now, below 0 a credit; `payUrl` null where there is no
 * link.
 */
export type MailedReminder = {
  kind: ReminderKind;
  on: string;
  cents: number;
  balanceCents: number;
  payBy: string | null;
  isSuspended: boolean;
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  payUrl: string | null;
  signInUrl: string;
  stopUrl: string;
};

/** Reminds a tenant of rent or of the gate of one unit. */
export function reminderEmail(reminder: MailedReminder): Email {
  const { firstName, facilityName: name, facilityPhone: phone, stopUrl } = reminder;
  return {
    subject: subjectOf(reminder),
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      { kind: 'paragraph', text: sentenceOf(reminder) },
      { kind: 'facts', facts: factsOf(reminder) },
      ...gateBlocks(reminder),
      ...payBlocks(reminder),
      {
        kind: 'paragraph',
        text: `If you have paid in the meantime, you need to do nothing. If you have questions, ${howToAsk({ name, phone })}.`,
      },
      { kind: 'link', label: 'Stop reminders of this kind', url: stopUrl, isQuiet: true },
    ],
  };
}

function subjectOf({ kind, unitName, on, cents, payBy }: MailedReminder): string {
  const sum = money(cents);
  if (kind === 'rent_soon') return `Unit ${unitName}: ${sum} is due on ${formatDate(on)}`;
  if (kind === 'rent_today') return `Unit ${unitName}: ${sum} is due today, ${formatDate(on)}`;
  const lastDay = formatDate(payBy ?? addDays(on, -1));
  return `Unit ${unitName}: pay ${sum} by ${lastDay} to keep your gate code`;
}

function sentenceOf({ kind, unitName, facilityName, on }: MailedReminder): string {
  const unit = `unit ${unitName} at ${facilityName}`;
  if (kind === 'rent_soon')
    return `The next bill of ${unit} is due on ${formatDate(on)}, and autopay does not pay it.`;
  if (kind === 'rent_today') return `The rent of ${unit} is due today, ${formatDate(on)}.`;
  return `What is owed on ${unit} is still open. From ${formatDate(on)} on your gate code will not work until it is paid.`;
}

/** Before a bill is due its sum is as it is known today; later it is what is owed. */
function factsOf({ kind, unitName, on, cents, balanceCents }: MailedReminder): [string, string][] {
  const unit: [string, string] = ['Unit', unitName];
  if (kind !== 'rent_soon') return [unit, ['To pay', money(cents)]];
  const due: [string, string] = ['Due', formatDate(on)];
  if (balanceCents === 0) return [unit, due, ['To pay', money(cents)]];
  return [
    unit,
    due,
    ['Next bill', money(cents - balanceCents)],
    balanceCents > 0 ? ['Owed now', money(balanceCents)] : ['Your credit', money(balanceCents)],
    ['To pay', money(cents)],
  ];
}

function gateBlocks({ kind, payBy, isSuspended }: MailedReminder): Block[] {
  if (kind !== 'rent_today') return [];
  if (isSuspended)
    return [{ kind: 'paragraph', text: 'Your gate code does not work until this is paid.' }];
  if (payBy === null) return [];
  const text = `Your gate code works through ${formatDate(payBy)}, and after that again once this is paid.`;
  return [{ kind: 'paragraph', text }];
}

function payBlocks({ kind, cents, payUrl, signInUrl }: MailedReminder): Block[] {
  if (payUrl === null) {
    const label =
      kind === 'rent_soon' ? 'Sign in to pay or set up autopay' : 'Sign in to pay with autopay';
    return [{ kind: 'link', label, url: signInUrl }];
  }
  return [
    { kind: 'link', label: `Pay ${money(cents)}`, url: payUrl },
    {
      kind: 'paragraph',
      text: `The link works once, for ${PAY_LINK_DAYS} days and for this sum alone, without signing in. Whoever has it can pay, and sees no more than the sum.`,
    },
    {
      kind: 'link',
      label: 'Sign in to set up autopay, or to pay in another way',
      url: signInUrl,
      isQuiet: true,
    },
  ];
}

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}
