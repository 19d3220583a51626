import { addDays, formatDate } from '@gatehouse/contract/dates';
import { PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import type { ReminderKind } from '@gatehouse/contract/reminders';
import { t } from '@gatehouse/language/t';
import { howToAsk } from './call-facility.ts';
import {
  action,
  facts,
  hello,
  money,
  paragraph,
  type Block,
  type Email,
  type Fact,
} from './email.ts';

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
      hello(firstName),
      paragraph(sentenceOf(reminder)),
      facts(factsOf(reminder)),
      ...gateBlocks(reminder),
      ...payBlocks(reminder),
      paragraph(
        t(
          'If you have paid in the meantime, you need to do nothing. If you have questions, {ask}.',
          { ask: howToAsk({ name, phone }) },
        ),
      ),
      { kind: 'link', label: t('Stop reminders of this kind'), url: stopUrl, isQuiet: true },
    ],
  };
}

function subjectOf({ kind, unitName, on, cents, payBy }: MailedReminder): string {
  const sum = money(cents);
  const day = formatDate(on);
  if (kind === 'rent_soon')
    return t('Unit {unitName}: {sum} is due on {day}', { unitName, sum, day });
  if (kind === 'rent_today')
    return t('Unit {unitName}: {sum} is due today, {day}', { unitName, sum, day });
  const lastDay = formatDate(payBy ?? addDays(on, -1));
  return t('Unit {unitName}: pay {sum} by {lastDay} to keep your gate code', {
    unitName,
    sum,
    lastDay,
  });
}

function sentenceOf({ kind, unitName, facilityName, on }: MailedReminder): string {
  const values = { unitName, facilityName, day: formatDate(on) };
  if (kind === 'rent_soon')
    return t(
      'The next bill of unit {unitName} at {facilityName} is due on {day}, and autopay does not pay it.',
      values,
    );
  if (kind === 'rent_today')
    return t('The rent of unit {unitName} at {facilityName} is due today, {day}.', values);
  return t(
    'What is owed on unit {unitName} at {facilityName} is still open. From {day} on your gate code will not work until it is paid.',
    values,
  );
}

/** Before a bill is due its sum is as it is known today; later it is what is owed. */
function factsOf({ kind, unitName, on, cents, balanceCents }: MailedReminder): Fact[] {
  const unit: Fact = [t('Unit'), unitName];
  if (kind !== 'rent_soon') return [unit, [t('To pay'), money(cents)]];
  const due: Fact = [t('Due'), formatDate(on)];
  if (balanceCents === 0) return [unit, due, [t('To pay'), money(cents)]];
  return [
    unit,
    due,
    [t('Next bill'), money(cents - balanceCents)],
    [balanceCents > 0 ? t('Owed now') : t('Your credit'), money(balanceCents)],
    [t('To pay'), money(cents)],
  ];
}

function gateBlocks({ kind, payBy, isSuspended }: MailedReminder): Block[] {
  if (kind !== 'rent_today') return [];
  if (isSuspended)
    return [{ kind: 'notice', text: t('Your gate code does not work until this is paid.') }];
  if (payBy === null) return [];
  const text = t('Your gate code works through {day}, and after that again once this is paid.', {
    day: formatDate(payBy),
  });
  return [{ kind: 'notice', text }];
}

function payBlocks({ kind, cents, payUrl, signInUrl }: MailedReminder): Block[] {
  if (payUrl === null) {
    const label =
      kind === 'rent_soon'
        ? t('Sign in to pay or set up autopay')
        : t('Sign in to pay with autopay');
    return [action(label, signInUrl)];
  }
  return [
    action(t('Pay {amount}', { amount: money(cents) }), payUrl),
    paragraph(
      t(
        'The link works once, for {days} days and for this sum alone, without signing in. Whoever has it can pay, and sees no more than the sum.',
        { days: PAY_LINK_DAYS },
      ),
    ),
    {
      kind: 'link',
      label: t('Sign in to set up autopay, or to pay in another way'),
      url: signInUrl,
      isQuiet: true,
    },
  ];
}
