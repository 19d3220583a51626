import { addDays } from '@gatehouse/contract/dates';
import { modelPeriod, type ModelTerms } from './model-bill.ts';

/** A rental as the check knows it. */
export type RemindedRental = {
  ledgerId: string;
  timeZone: string;
  terms: ModelTerms;
  graceDays: number;
  /** When the tenant texted STOP and START, by turns; null for who has not agreed to texts. */
  words: number[] | null;
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
    mailId: string | null;
    textId: string | null;
    queuedAt: Date;
  }[];
};

/** A mail that the server was to send at an instant, or that the transport got at it. */
export type SentReminder = { mailId: string; at: number };

/**
 * A text that the server was to send at an instant, and how the provider answered; `none`: it was
 * not called.
 */
export type TriedText = {
  textId: string;
  at: number;
  answer: 'none' | 'taken' | 'unknown' | 'away' | 'refused';
};

const GATE_DAYS = 2;
/** Payments are at noon and at midnight, so that what is open at nine was open at four. */
const AT = '09:00';

/**
 * Compares the reminders with a walk through the calendar that uses nothing of the server's: one
 * mail or one text for each fact that is true at nine in the morning, none twice, none after
 * payment, none at night, and each with the sum to the cent; none dropped that was still true in
 * its daytime. Of texts also none on a Sunday morning, none after STOP, none whose outcome is
 * unknown again, and a mail in place of each that could not go.
 */
export function reminderFaults(
  rentals: RemindedRental[],
  { entries, reminders }: Written,
  { tried, sent, texted }: { tried: SentReminder[]; sent: SentReminder[]; texted: TriedText[] },
  days: { first: string; last: string },
): string[] {
  const faults: string[] = [];
  const entriesOf = Map.groupBy(entries, ({ ledgerId }) => ledgerId);
  const rowsOf = Map.groupBy(reminders, ({ ledgerId }) => ledgerId);
  const sentOf = Map.groupBy(sent, ({ mailId }) => mailId);
  const triesOf = Map.groupBy(tried, ({ mailId }) => mailId);
  const textTriesOf = Map.groupBy(texted, ({ textId }) => textId);
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
    const ofDays = Map.groupBy(rows, ({ remindedOn }) => remindedOn);
    for (const [day, ofDay] of ofDays)
      if (new Set(ofDay.map(({ mailId, textId }) => `${textId} ${mailId}`)).size > 1)
        faults.push(name(`has several reminders on ${day}`));
    const getsTexts = (at: number) =>
      rental.words !== null && rental.words.filter((word) => word < at).length % 2 === 0;
    for (const { kind, aboutOn, cents, mailId, textId, queuedAt, remindedOn } of rows) {
      const rent = kind === 'rent_soon' ? modelPeriod(rental.terms, aboutOn).rentCents : 0;
      const isAt = (at: number) => balance(at) + rent === cents && cents > 0;
      const queued = localOf(timeZone, queuedAt.getTime());
      if (queued.hour !== 9 || queued.day !== remindedOn || !isAt(queuedAt.getTime()))
        faults.push(name(`${kind} ${aboutOn} was queued at ${queuedAt.toISOString()}`));
      if ((textId !== null) !== getsTexts(queuedAt.getTime()))
        faults.push(name(`${kind} ${aboutOn} went the wrong way at ${queuedAt.toISOString()}`));
      const isDaytime = (at: number) => {
        const local = localOf(timeZone, at);
        return local.hour >= 8 && local.hour < 21 && local.day === remindedOn;
      };
      const mails = mailId === null ? [] : (sentOf.get(mailId) ?? []);
      const textTries = textId === null ? [] : (textTriesOf.get(textId) ?? []);
      // What is not known may have been sent.
      const texts = textTries.filter(({ answer }) => answer === 'taken' || answer === 'unknown');
      const times = [...mails, ...texts];
      if (times.length > 1) faults.push(name(`${kind} ${aboutOn} was sent ${times.length} times`));
      for (const { at } of times) {
        if (!isDaytime(at))
          faults.push(name(`${kind} ${aboutOn} was sent at night, ${new Date(at).toISOString()}`));
        if (!isAt(at)) faults.push(name(`${kind} ${aboutOn} was sent after a payment`));
      }
      const isTextTime = (at: number) => {
        const local = localOf(timeZone, at);
        const from = local.isSunday ? 12 : 9;
        return local.hour >= from && local.hour < 20 && local.day === remindedOn;
      };
      for (const { at } of texts) {
        if (!isTextTime(at))
          faults.push(name(`${kind} ${aboutOn} was texted within the quiet hours`));
        if (!getsTexts(at)) faults.push(name(`${kind} ${aboutOn} was texted after STOP`));
      }
      for (const { at, answer } of textTries) {
        const isRefused = answer === 'refused' || (answer === 'none' && !getsTexts(at));
        if (isRefused && isDaytime(at) && isAt(at) && mailId === null)
          faults.push(name(`${kind} ${aboutOn} was neither texted nor mailed`));
        const isDropped = answer === 'none' && isTextTime(at) && isAt(at) && getsTexts(at);
        if (isDropped && times.length === 0)
          faults.push(name(`${kind} ${aboutOn} was dropped without a reason`));
      }
      for (const { at } of (mailId === null ? undefined : triesOf.get(mailId)) ?? [])
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
  // A payment here is of all that is owed, so a debt begins with the first due date after it.
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

function localOf(timeZone: string, at: number): { day: string; hour: number; isSunday: boolean } {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return {
    day: local.toPlainDate().toString(),
    hour: local.hour,
    isSunday: local.dayOfWeek === 7,
  };
}
