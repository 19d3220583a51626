import { createHash, randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import {
  TextNotSent,
  TextRefused,
  TextUnknown,
} from '@gatehouse/server/src/adapters/text-messages/text-messages.ts';
import type { Context, Job } from '@gatehouse/server/src/context/context.ts';
import { openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import type { BillingKind } from '@gatehouse/server/src/db/tables.ts';
import { daysPastDue } from '@gatehouse/server/src/features/base/ledgers/rules.ts';
import { sendMails } from '@gatehouse/server/src/features/desk/mail-sending/send.ts';
import { makePayment } from '@gatehouse/server/src/features/money/payments/payments.ts';
import { sendReminders } from '@gatehouse/server/src/features/rentals/reminders/send.ts';
import { sendTexts } from '@gatehouse/server/src/features/desk/text-sending/send.ts';
import { receiveReply } from '@gatehouse/server/src/features/service/texts/replies.ts';
import { facilityDay } from '@gatehouse/server/src/jobs/facility-day.ts';
import { openFacilityDays } from '@gatehouse/server/src/jobs/open-facility-days.ts';
import { makeCorporation } from '@gatehouse/server/src/seeds/builders.ts';
import { makeTextConsent } from '@gatehouse/server/test/texts.ts';
import type { Worker } from './worker-pool.ts';
import {
  reminderFaults,
  type SentReminder,
  type TriedText,
  type Written,
} from './calendar-reminders.ts';
import { createFakeGateway } from '../harness/simulator/fake-gateway.ts';
import { modelPeriod, type ModelTerms } from './model-bill.ts';
import { randomOf } from '../harness/random.ts';
import { countIdsUp, drawIdsFrom, RESTART_COUNTERS } from './seeded-ids.ts';
import { databaseOn, inTurn, openSession } from './session.ts';
import {
  clockAt,
  contextOn,
  makeFacilityOfWorld,
  makeRenter,
  type MovableClock,
  type Renter,
} from './world.ts';
import { changeRows, getRow } from '@gatehouse/server/test/rows.ts';

export type CalendarTask = { seed: number; months: number; facilities: number };
export type CalendarResult = {
  serverZone: string;
  digest: string;
  facilityDays: number;
  periods: number;
  payments: number;
  reminders: number;
  remindersSent: number;
  remindersDropped: number;
  textsSent: number;
  textsNotSent: number;
  stops: number;
  faults: string[];
  reminderFaults: string[];
};

const ZONES = [
  'America/Chicago',
  'America/Phoenix',
  'Pacific/Honolulu',
  'America/New_York',
  'America/Los_Angeles',
  'America/Anchorage',
];
const KINDS: BillingKind[] = ['anniversary', 'first_of_month', 'twenty_eight_days'];
const BILLING_DAYS = [28, 29, 30, 31];

/** The first half year from here has both changes of the clock, the first two years a leap day. */
const STARTS_ON = '2026-09-20';

/**
 * The hours, by UTC, around which it becomes four in the morning in one of the zones, and one
 * besides.
 */
const TICKS = [8, 9, 10, 11, 12, 13, 14, 22];

/** The hours, by UTC, at which it is nine in the morning in one of the zones. */
const REMINDER_TICKS = [13, 14, 15, 16, 17, 18, 19];

/** Days of grace of the gates, which say when a reminder of them is due. */
const GRACE_DAYS = [5, 0, 2, 9, 1, 3];

const DAY_MS = 86_400_000;

type Site = {
  facilityId: string;
  timeZone: string;
  graceDays: number;
  renter: Renter;
  terms: ModelTerms[];
  /** The number of a tenant who has agreed to texts, and when it texted STOP and START. */
  number: string;
  words: number[] | null;
};
type Event = { at: number; run: () => Promise<void> };

/**
 * Simulates months of facility days and payments by the clocks of six zones, in any zone of the
 * process itself.
 */
export async function open(url: string): Promise<Worker<CalendarTask, CalendarResult>> {
  const owner = openOwnerDatabase(url);
  await countIdsUp(owner);
  const session = await openSession(url, { hasNet: false });
  const db = databaseOn(session, inTurn());
  return {
    async work({ seed, months, facilities }) {
      const random = randomOf(seed);
      drawIdsFrom(randomOf(seed + 1));
      const corporationId = await makeCorporation(owner);
      const sites: Site[] = [];
      for (let index = 0; index < facilities; index++) {
        const timeZone = ZONES[index % ZONES.length]!;
        const kind = KINDS[(index + Math.floor(index / ZONES.length)) % KINDS.length]!;
        const graceDays =
          GRACE_DAYS[(index + Math.floor(index / ZONES.length)) % GRACE_DAYS.length]!;
        const facility = {
          location_code: `F${index}`,
          time_zone: timeZone,
          billing_kind: kind,
          gate_grace_days: graceDays,
          sends_reminders: true,
          sends_texts: true,
        };
        const facilityId = await makeFacilityOfWorld(owner, corporationId, facility);
        const at = {
          corporationId,
          facilityId,
          movedInOn: STARTS_ON,
          rentals: BILLING_DAYS.length,
          place: index,
        };
        const renter = await makeRenter(owner, at);
        const terms = BILLING_DAYS.map((billingDay) => {
          const rateCents = random.between(5000, 60_000);
          return { kind, billingDay, rateCents, discountBasisPoints: 0, tax1: 0, tax2: 0 };
        });
        for (const [unit, { ledgerId }] of renter.rentals.entries())
          await changeRows(
            owner,
            'ledgers',
            {
              billing_day: terms[unit]!.billingDay,
              rental_rate_cents: terms[unit]!.rateCents,
            },
            { id: ledgerId },
          );
        const phone = `817555${1000 + index}`;
        await changeRows(owner, 'tenants', { phone }, { id: renter.tenantId });
        // Two of three, so that each zone and each kind of billing has both.
        const hasAgreed = (index + Math.floor(index / ZONES.length)) % 3 > 0;
        if (hasAgreed) await makeTextConsent(owner, renter.tenantId);
        const texting = { number: `+1${phone}`, words: hasAgreed ? [] : null };
        sites.push({ facilityId, timeZone, graceDays, renter, terms, ...texting });
      }

      const clock = clockAt(`${STARTS_ON}T00:00:00Z`);
      // Reminders that wait for the mail server, which takes some of them hours later.
      const waiting: string[] = [];
      const tried: SentReminder[] = [];
      const sent: SentReminder[] = [];
      const waitingTexts: { textId: string; from: number }[] = [];
      const texted: TriedText[] = [];
      let answer: TriedText['answer'] = 'none';
      let isReminding = false;
      const delays = randomOf(seed + 2);
      const jobs: Extract<Job, { name: 'facility-day' }>['data'][] = [];
      const ctx = contextOn({
        db,
        clock,
        gateway: createFakeGateway({ clock, judge: () => 'approve' }),
        enqueue: (_trx, job) => {
          if (job.name === 'facility-day') jobs.push(job.data);
          if (job.name === 'deliver-mail' && isReminding) waiting.push(job.data.mailId);
          if (job.name === 'send-text')
            waitingTexts.push({
              textId: job.data.textId,
              from: clock.at + (job.afterSeconds ?? 0) * 1000,
            });
          return Promise.resolve();
        },
        mail: {
          send: ({ id }) => {
            sent.push({ mailId: id, at: clock.at });
            return Promise.resolve();
          },
        },
        texts: {
          send: ({ id }) => {
            const { kind, error } = delays.pick(ANSWERS);
            answer = kind;
            return error === null ? Promise.resolve({ providerId: id }) : Promise.reject(error);
          },
        },
      });
      await session.begin();
      await session.asOwner(async () => {
        await session.run(RESTART_COUNTERS, []);
      });
      const digest = createHash('sha256');
      const note = (what: unknown) => digest.update(`${JSON.stringify(what)}\n`);
      let facilityDays = 0;
      let payments = 0;
      const tick = async () => {
        await openFacilityDays.run(ctx, [{}]);
        facilityDays += jobs.length;
        for (const day of jobs)
          note([
            clock.now(),
            sites.findIndex((site) => site.facilityId === day.facilityId),
            day.date,
          ]);
        await facilityDay.run(ctx, jobs.splice(0));
        await deliver();
      };
      const deliver = async () => {
        const due = waiting.filter(() => delays.chance(0.6));
        for (const mailId of due) {
          waiting.splice(waiting.indexOf(mailId), 1);
          tried.push({ mailId, at: clock.at });
          await sendMails(ctx, [mailId]);
        }
        const texts = waitingTexts.filter(({ from }) => from <= clock.at && delays.chance(0.6));
        for (const text of texts) {
          waitingTexts.splice(waitingTexts.indexOf(text), 1);
          answer = 'none';
          isReminding = true;
          await sendTexts(ctx, [text.textId]).catch((error: unknown) => {
            if (answer !== 'away') throw error;
            waitingTexts.push(text);
          });
          isReminding = false;
          // One that comes within the quiet hours is queued again for their end.
          if (!waitingTexts.some(({ textId, from }) => textId === text.textId && from > clock.at))
            texted.push({ textId: text.textId, at: clock.at, answer });
        }
      };
      const remind = async () => {
        await deliver();
        isReminding = true;
        await sendReminders(ctx);
        isReminding = false;
      };
      const lastDay = endOf(months);
      // A minute before midnight in Honolulu is ten in the morning of the next day by UTC: that
      // waits until it comes.
      const events: Event[] = [];
      for (let day = STARTS_ON; day <= lastDay; day = addDays(day, 1)) {
        const midnight = Date.parse(`${day}T00:00:00Z`);
        events.push(...TICKS.map((hour) => ({ at: midnight + hour * 3_600_000, run: tick })));
        for (const hour of REMINDER_TICKS)
          events.push({ at: midnight + hour * 3_600_000, run: remind });
        for (const site of sites) {
          const [unit, time] = [random.between(0, 3), random.pick(['23:59', '00:00', '12:00'])];
          const at = instantOf(day, time, site.timeZone);
          if (random.chance(0.25))
            events.push({
              at,
              run: async () => void (payments += (await pay(ctx, site, unit)) ? 1 : 0),
            });
          if (site.words !== null && delays.chance(0.02))
            events.push({
              at: instantOf(day, delays.pick(['08:30', '09:30', '12:00']), site.timeZone),
              run: () => sayWord(ctx, site, clock.at),
            });
        }
        events.sort((a, b) => a.at - b.at);
        const later = events.findIndex(({ at }) => at >= midnight + DAY_MS);
        for (const event of events.splice(0, later < 0 ? events.length : later)) {
          clock.at = Math.max(clock.at, event.at);
          await event.run();
        }
        if (day.endsWith('-14')) note(await standing(session, clock, sites));
      }
      const { rows } = await session.run(ALL, []);
      for (const row of rows) note(row);
      const written = await readReminders(session);
      const remindersDropped = await countDropped(session);
      note([written.reminders, sent, texted]);
      const faults = await faultsOf(session, sites, lastDay);
      const rentals = sites.flatMap(({ timeZone, graceDays, renter, terms, words }) =>
        renter.rentals.map(({ ledgerId }, unit) => ({
          ledgerId,
          timeZone,
          graceDays,
          words,
          terms: terms[unit]!,
        })),
      );
      const judged = { first: STARTS_ON, last: addDays(lastDay, -1) };
      const periods = (await session.run('SELECT count(*)::int AS n FROM billed_periods', []))
        .rows as { n: number }[];
      await session.rollback();
      return {
        serverZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        digest: digest.digest('hex'),
        facilityDays,
        periods: periods[0]!.n,
        payments,
        reminders: new Set(written.reminders.map(({ mailId, textId }) => textId ?? mailId)).size,
        remindersSent: sent.length,
        remindersDropped,
        textsSent: texted.filter((text) => text.answer === 'taken').length,
        textsNotSent: new Set(
          texted.filter((text) => text.answer !== 'taken').map(({ textId }) => textId),
        ).size,
        stops: sites.reduce((sum, { words }) => sum + Math.ceil((words?.length ?? 0) / 2), 0),
        faults,
        reminderFaults: reminderFaults(rentals, written, { tried, sent, texted }, judged),
      };
    },
    async close() {
      await session.end();
      await owner.destroy();
    },
  };
}

/** How the provider answers, most often as it should. */
const ANSWERS: { kind: TriedText['answer']; error: Error | null }[] = [
  ...Array.from({ length: 16 }, () => ({ kind: 'taken' as const, error: null })),
  { kind: 'away', error: new TextNotSent('away') },
  { kind: 'away', error: new TextNotSent('away') },
  { kind: 'refused', error: new TextRefused('21211', false) },
  { kind: 'unknown', error: new TextUnknown('no answer') },
];

/** The tenant texts STOP, or START after it. */
async function sayWord(ctx: Context, { number, words }: Site, at: number): Promise<void> {
  const body = words!.length % 2 === 0 ? 'STOP' : 'START';
  await receiveReply(ctx, { id: randomUUID(), from: number, body, word: null });
  words!.push(at);
}

function endOf(months: number): string {
  const [year = NaN, month = NaN, day = NaN] = STARTS_ON.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, day)).toISOString().slice(0, 10);
}

/** The instant at which the clocks of a zone show a time on a day. */
function instantOf(day: string, time: string, timeZone: string): number {
  return Temporal.ZonedDateTime.from(`${day}T${time}[${timeZone}]`).epochMilliseconds;
}

/** Pays what one unit owes. */
async function pay(ctx: Context, { renter, timeZone }: Site, unit: number): Promise<boolean> {
  const { ledgerId, unitId } = renter.rentals[unit]!;
  const ledger = await getRow(ctx.db, 'ledgers', 'balance_cents', { id: ledgerId });
  if (ledger.balance_cents <= 0) return false;
  await makePayment(ctx, {
    userId: renter.userId,
    tenantId: renter.tenantId,
    timeZone,
    idempotencyKey: randomUUID(),
    params: {
      payments: [{ ledgerId, unitId, amount: ledger.balance_cents / 100 }],
      creditCard: { paymentMethodId: renter.cardId },
    },
  });
  return true;
}

type Queries = Awaited<ReturnType<typeof openSession>>;

/** The state of each ledger on the facility's day. */
async function standing(session: Queries, clock: MovableClock, sites: Site[]): Promise<unknown[]> {
  const { rows } = await session.run(
    'SELECT id, balance_cents, paid_through FROM ledgers ORDER BY id',
    [],
  );
  const ledgers = new Map(
    (rows as { id: string; balance_cents: number; paid_through: string }[]).map((row) => [
      row.id,
      row,
    ]),
  );
  return sites.flatMap(({ timeZone, renter }) =>
    renter.rentals.map(({ ledgerId }) => {
      const { balance_cents, paid_through } = ledgers.get(ledgerId)!;
      const today = Temporal.Instant.fromEpochMilliseconds(clock.at)
        .toZonedDateTimeISO(timeZone)
        .toPlainDate()
        .toString();
      return [
        balance_cents,
        paid_through,
        daysPastDue(balance_cents > 0 ? addDays(paid_through, 1) : null, today),
      ];
    }),
  );
}

/** Everything that was written, in the order in which it was. */
const ALL = `
  SELECT e.position, e.ledger_id, e.kind, e.amount_cents, e.posted_on, e.created_at, c.category, c.description, c.due_on,
    c.period_end, l.paid_through, l.billed_through
  FROM entries e JOIN ledgers l ON l.id = e.ledger_id LEFT JOIN charges c ON c.entry_id = e.id ORDER BY e.position`;

/** The books and the reminders, in the order in which they were written. */
async function readReminders(session: Queries): Promise<Written> {
  const entries = await session.run(
    'SELECT ledger_id AS "ledgerId", amount_cents AS cents, created_at AS at FROM entries ORDER BY position',
    [],
  );
  const reminders = await session.run(
    `SELECT r.ledger_id AS "ledgerId", r.kind, r.about_on AS "aboutOn", r.reminded_on AS "remindedOn",
      r.amount_cents AS cents, r.mail_id AS "mailId", r.text_id AS "textId",
      coalesce(t.created_at, m.created_at) AS "queuedAt"
    FROM reminders r LEFT JOIN mails m ON m.id = r.mail_id LEFT JOIN texts t ON t.id = r.text_id
    ORDER BY "queuedAt", t.position, m.position, r.place`,
    [],
  );
  return { entries: entries.rows, reminders: reminders.rows } as Written;
}

async function countDropped(session: Queries): Promise<number> {
  const { rows } = await session.run(
    "SELECT count(*)::int AS n FROM mails WHERE kind = 'reminder' AND is_dropped",
    [],
  );
  return (rows as { n: number }[])[0]!.n;
}

/**
 * Each period that a walk through the calendar finds is billed once, on its own due date, from four
 * in the morning on.
 */
async function faultsOf(session: Queries, sites: Site[], lastDay: string): Promise<string[]> {
  const faults: string[] = [];
  const { rows } = await session.run(
    `SELECT c.ledger_id AS "ledgerId", c.due_on AS "dueOn", c.period_end AS "periodEnd",
      c.price_cents - c.discount_cents + c.tax1_cents + c.tax2_cents AS cents, e.posted_on AS "postedOn", e.created_at AS at,
      (SELECT count(*)::int FROM billed_periods p WHERE p.ledger_id = c.ledger_id AND p.due_on = c.due_on) AS noted
    FROM charges c JOIN entries e ON e.id = c.entry_id WHERE c.category = 'rent' ORDER BY e.position`,
    [],
  );
  type Billed = {
    ledgerId: string;
    dueOn: string;
    periodEnd: string;
    cents: number;
    postedOn: string;
    at: Date;
    noted: number;
  };
  const billed = Map.groupBy(rows as Billed[], ({ ledgerId }) => ledgerId);
  for (const { timeZone, renter, terms } of sites) {
    for (const [unit, { ledgerId }] of renter.rentals.entries()) {
      const found = billed.get(ledgerId) ?? [];
      for (let due = STARTS_ON, place = 0; ; place += 1) {
        // The last day of the run may not have come to four in the morning everywhere.
        if (due >= lastDay) {
          if (found.length > place + 1)
            faults.push(`${timeZone} ${ledgerId} is billed beyond ${lastDay}`);
          break;
        }
        const wanted = modelPeriod(terms[unit]!, due);
        const one = found[place];
        const local =
          one &&
          Temporal.Instant.fromEpochMilliseconds(one.at.getTime()).toZonedDateTimeISO(timeZone);
        const isRight =
          one !== undefined &&
          one.dueOn === due &&
          one.periodEnd === wanted.periodEnd &&
          one.cents === wanted.rentCents &&
          one.postedOn === due &&
          one.noted === 1 &&
          local!.hour === 4 &&
          local!.toPlainDate().toString() === due;
        if (!isRight)
          faults.push(
            `${timeZone} ${JSON.stringify(terms[unit])} ${JSON.stringify(wanted)}: ${JSON.stringify(one)}`,
          );
        due = addDays(wanted.periodEnd, 1);
      }
    }
  }
  return faults;
}
