import { addDays, formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { ReminderKind } from '@gatehouse/contract/reminders';
import { t } from '@gatehouse/language/t';
import { cutTo, TEXT_LENGTH, toGsm } from '#features/service/texts/gsm.ts';

/** A reminder by text message, as that by mail; `url` is where it is paid. */
export type TextedReminder = {
  kind: ReminderKind;
  on: string;
  cents: number;
  payBy: string | null;
  facilityName: string;
  url: string;
};

/** The facility's name is cut, to no less than this, where that makes one message of two. */
const LEAST_NAME = 12;

/**
 * The text of a reminder: the facility, the sum, the day and where to pay, one message of 160
 * characters where the address leaves room for it. Phones show it while they are locked: it names
 * neither tenant nor unit, and no code. Spanish accents that a text does not have are taken off
 * later, one letter for one (features/service/texts/gsm.ts).
 */
export function reminderText({ facilityName, url, ...reminder }: TextedReminder): string {
  const said = `: ${sentenceOf(reminder)} ${url} ${t('Reply STOP to end')}`;
  const name = toGsm(facilityName);
  const room = TEXT_LENGTH - said.length;
  return (room < LEAST_NAME ? name : cutTo(name, room)) + said;
}

function sentenceOf({ kind, on, cents, payBy }: Omit<TextedReminder, 'facilityName' | 'url'>) {
  const sum = formatMoney(toDollars(cents));
  if (kind === 'rent_soon') return t('{sum} is due on {day}.', { sum, day: formatDate(on) });
  if (kind === 'rent_today') return t('{sum} is due today, {day}.', { sum, day: formatDate(on) });
  return t('pay {sum} by {day} to keep your gate code.', {
    sum,
    day: formatDate(payBy ?? addDays(on, -1)),
  });
}
