import { addDays } from '@gatehouse/contract/dates';
import { modelPeriod, type ModelTerms } from './model-bill.ts';

/** A rental as the check knows it. */
export type RemindedRental = {
  ledgerId: string;
  timeZone: string;
  terms: ModelTerms;
  graceDays: number;
};

/** What the books and the reminders say, as it was written. */
export type Written = {
  entries: { ledgerId: string; cents: number; at: Date }[];
  reminders: {
    ledgerId: string;
    kind: 'rent_soon' | 'rent_today' | 'gate_soon';
    aboutOn: string;
    remindedOn: string;
    cents: number;
    mailId: string;
    queuedAt: Date;
  }[];
};

/** A mail that the server was to send at an instant, or that the transport got at it. */
export type SentReminder = { mailId: string; at: number };

const GATE_DAYS = 2;
/** Payments are at noon and at midnight, so that what is open at nine was open at four. */
const AT = '09:00';

/**
 * Compares the reminders with a walk through the calendar that uses nothing of the server's: one
 * mail for each fact that is true at nine in the morning, none twice, none after payment, none at
 * night, and each with the sum to the cent; none dropped that was still true in its daytime.
 */
export function reminderFaults(
  rentals: RemindedRental[],
  { entries, reminders }: Written,
  { tried, sent }: { tried: SentReminder[]; sent: SentReminder[] },
  days: { first: string; last: string },
): string[] {
  const faults: string[] = [];
  const entriesOf = Map.groupBy(entries, ({ ledgerId }) => ledgerId);
  const rowsOf = Map.groupBy(reminders, ({ ledgerId }) => ledgerId);
  const sentOf = Map.groupBy(sent, ({ mailId }) => mailId);
  const triesOf = Map.groupBy(tried, ({ mailId }) => mailId);
  for (const rental of rentals) {
    const { ledgerId, timeZone } = rental;
    const balance = balanceIn(entriesOf.get(ledgerId) ?? []);
    const rows = rowsOf.get(ledgerId) ?? [];
    const wanted = factsOf(rental, balance, days);
    // What is about a later day may still come.
    const judged = rows.filter(({ aboutOn }) => aboutOn <= days.last);
    const found = judged.map(({ kind, aboutOn }) => `${kind} ${aboutOn}`);
    const name = (fact: string) => `${timeZone} ${ledgerId} ${fact}`;
    for (const fact of wanted) if (!found.includes(fact)) faults.push(name(`${fact} is missing`));
    for (const fact of found) if (!wanted.has(fact)) faults.push(name(`${fact} is not due`));
    if (new Set(found).size !== found.length) faults.push(name('is reminded twice'));
    const mails = Map.groupBy(rows, ({ remindedOn }) => remindedOn);
    for (const [day, ofDay] of mails)
      if (new Set(ofDay.map(({ mailId }) => mailId)).size > 1)
        faults.push(name(`has several mails on ${day}`));
    for (const { kind, aboutOn, cents, mailId, queuedAt, remindedOn } of rows) {
      const rent = kind === 'rent_soon' ? modelPeriod(rental.terms, aboutOn).rentCents : 0;
      const isAt = (at: number) => balance(at) + rent === cents && cents > 0;
      const queued = localOf(timeZone, queuedAt.getTime());
      if (queued.hour !== 9 || queued.day !== remindedOn || !isAt(queuedAt.getTime()))
        faults.push(name(`${kind} ${aboutOn} was queued at ${queuedAt.toISOString()}`));
      const isDaytime = (at: number) => {
        const local = localOf(timeZone, at);
        return local.hour >= 8 && local.hour < 21 && local.day === remindedOn;
      };
      const times = sentOf.get(mailId) ?? [];
      if (times.length > 1) faults.push(name(`${kind} ${aboutOn} was sent ${times.length} times`));
      for (const { at } of times) {
        if (!isDaytime(at))
          faults.push(name(`${kind} ${aboutOn} was sent at night, ${new Date(at).toISOString()}`));
        if (!isAt(at)) faults.push(name(`${kind} ${aboutOn} was sent after a payment`));
      }
      for (const { at } of triesOf.get(mailId) ?? [])
        if (times.length === 0 && isDaytime(at) && isAt(at))
          faults.push(name(`${kind} ${aboutOn} was dropped without a reason`));
    }
  }
  return faults;
}

/** What is owed at an instant, in cents; a payment of the same instant comes after its mails. */
function balanceIn(entries: Written['entries']): (at: number) => number {
  return (at) =>
    entries.reduce((sum, entry) => sum + (entry.at.getTime() < at ? entry.cents : 0), 0);
}

/** The facts that are to be reminded of, by the calendar and what is owed at nine. */
function factsOf(
  { terms, timeZone, graceDays }: RemindedRental,
  balance: (at: number) => number,
  { first, last }: { first: string; last: string },
): Set<string> {
  const facts = new Set<string>();
  const owesOn = (day: string) => balance(instantAt(day, AT, timeZone)) > 0;
  for (let due = first; due <= last; due = addDays(modelPeriod(terms, due).periodEnd, 1)) {
    facts.add(`rent_today ${due}`);
    if (due > first) facts.add(`rent_soon ${due}`);
  }
  // Whoever pays here pays all that is owed, so a debt begins with the first due date after it.
  let since: string | null = null;
  for (let day = first; day <= last; day = addDays(day, 1)) {
    if (!owesOn(day)) since = null;
    else if (since === null || !owesUntil(balance, timeZone, addDays(day, -1), day)) since = day;
    if (since === null || graceDays === 0) continue;
    const suspendsOn = addDays(since, graceDays);
    const isNear = day < suspendsOn && addDays(suspendsOn, -GATE_DAYS) <= day;
    if (isNear && suspendsOn <= last) facts.add(`gate_soon ${suspendsOn}`);
  }
  return facts;
}

/** Whether something was owed all the time from nine of a day to the next billing at four. */
function owesUntil(
  balance: (at: number) => number,
  timeZone: string,
  from: string,
  to: string,
): boolean {
  const times = [instantAt(from, '12:01', timeZone), instantAt(to, '00:01', timeZone)];
  return times.every((at) => balance(at) > 0);
}

function instantAt(day: string, time: string, timeZone: string): number {
  return Temporal.ZonedDateTime.from(`${day}T${time}[${timeZone}]`).epochMilliseconds;
}

function localOf(timeZone: string, at: number): { day: string; hour: number } {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return { day: local.toPlainDate().toString(), hour: local.hour };
}
