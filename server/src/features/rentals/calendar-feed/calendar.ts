import { addDays, calendarDateIn, lastDayOf } from '@gatehouse/contract/dates';
import { methodName } from '@gatehouse/contract/saved-methods';
import { language } from '@gatehouse/language/language';
import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { inLanguage } from '#context/language.ts';
import { payPath } from '#emails/owed.ts';
import { findAutopays, type AutopayRow } from '#features/money/autopay/autopay.ts';
import { projectBills, type Outlook } from '#features/money/billing/projection.ts';
import { findInsurance } from '#features/service/insurance/insurance.ts';
import { findLedgers, type LedgerRow } from '#features/base/ledgers/ledgers.ts';
import { findLastDays } from '#features/rentals/vehicle-papers/vehicle-papers.ts';
import { rentalEvents, type FeedRental } from './events.ts';
import { getFeedRecord, type FeedRecord } from './feeds.ts';

/** So far ahead the due dates are given. */
const DAYS_AHEAD = 365;
/** How often a calendar app should read the calendar again. */
const READ_AGAIN_SECONDS = 6 * 3600;

/**
 * The calendar behind a URL's token as iCalendar text (RFC 5545): whole days of the facility's
 * calendar for due dates, autopay, rent changes, move-outs and expiries of the current rentals.
 * In the language of the account. Refuses as `getFeedRecord`.
 */
export async function drawCalendar(ctx: Context, token: string): Promise<string> {
  const record = await getFeedRecord(ctx, token);
  return inLanguage(record.language ?? 'en', () => drawEvents(ctx, record));
}

async function drawEvents(ctx: Context, record: FeedRecord): Promise<string> {
  const calendar = ical({
    name: `${record.operatorName}, ${record.facilityName}`,
    prodId: { company: 'Gatehouse', product: 'Tenant portal', language: language().toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: READ_AGAIN_SECONDS,
  });
  for (const rental of await readRentals(ctx, record))
    for (const { id, on, title, text } of rentalEvents(rental))
      calendar.createEvent({
        id: `${id}@gatehouse`,
        start: new Date(`${on}T00:00:00Z`),
        end: new Date(`${addDays(on, 1)}T00:00:00Z`),
        allDay: true,
        timezone: 'UTC',
        stamp: ctx.clock.now(),
        summary: title,
        description: text,
        url: ctx.config.publicUrl + payPath(rental.ledgerId),
        // A due date does not make anybody busy.
        transparency: ICalEventTransparency.TRANSPARENT,
      });
  return calendar.toString();
}

async function readRentals(
  ctx: Context,
  { tenantId, timeZone }: FeedRecord,
): Promise<FeedRental[]> {
  const today = calendarDateIn(timeZone, ctx.clock.now());
  const isOwn = sql<boolean>`l.tenant_id = ${tenantId}`;
  const [ledgers, autopays, outlooks, insurance, papers] = await Promise.all([
    findLedgers(ctx.db, [tenantId], today),
    findAutopays(ctx, tenantId, timeZone),
    projectBills(ctx.db, isOwn, addDays(today, DAYS_AHEAD)),
    findInsurance(ctx.db, [tenantId], today),
    findLastDays(ctx.db, tenantId),
  ]);
  return ledgers.map((ledger) =>
    rentalOf(
      ledger,
      autopays.find(({ ledgerId }) => ledgerId === ledger.id),
      outlooks.get(ledger.id),
      insurance.find(({ ledger_id }) => ledger_id === ledger.id)?.policy_ends_on ?? null,
      papers.filter(({ ledgerId }) => ledgerId === ledger.id),
    ),
  );
}

function rentalOf(
  ledger: LedgerRow,
  autopay: AutopayRow | undefined,
  outlook: Outlook | undefined,
  policyEndsOn: string | null,
  papers: FeedRental['papers'],
): FeedRental {
  const { scheduled_rate_cents: rateCents, scheduled_rate_on: rateOn } = ledger;
  const charge = autopay?.nextCharge ?? null;
  return {
    ledgerId: ledger.id,
    unitName: ledger.unit_name,
    balanceCents: ledger.balance_cents,
    paidThrough: ledger.paid_through,
    nextCharge: charge && { on: charge.date, cents: charge.cents },
    bills: (outlook?.bills ?? []).map(({ dueOn, cents }) => ({ on: dueOn, cents })),
    // As the portal shows it.
    rateChange:
      rateOn === null || rateCents === null || rateCents <= 0
        ? null
        : { on: rateOn, cents: rateCents },
    movedOutOn: outlook?.movedOutOn ?? null,
    cardEnds: cardEndsOf(autopay),
    policyEndsOn,
    papers,
  };
}

function cardEndsOf(autopay: AutopayRow | undefined): FeedRental['cardEnds'] {
  const method = autopay?.active === true ? autopay.method : null;
  if (method === null || method.expires_on === null) return null;
  return {
    card: methodName(method.brand, method.last_four),
    on: lastDayOf(method.expires_on),
  };
}
