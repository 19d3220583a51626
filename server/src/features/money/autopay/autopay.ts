import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { inTransaction, type Database } from '#db/database.ts';
import type { IntentState } from '#db/tables.ts';
import { enforcedLater, notEnforcedCents } from '#features/base/ledgers/owed-since.ts';
import { projectNextBills, type NextBill } from '#features/money/billing/projection.ts';
import type { PaymentMethodRow } from '#features/money/payment-methods/payment-methods.ts';
import type { MethodToShow } from '#features/money/payment-methods/view.ts';
import { hasLiveMandate } from '#features/money/mandates/mandates.ts';
import { isPaidInPart, nextCents } from './items.ts';
import {
  isKeptFromCharging,
  nextChargeOf,
  problemOf,
  type Charge,
  type Standing,
} from './next-charge.ts';

/** The autopay of a current rental; `method` is null where it was never set up. */
export type AutopayRow = {
  ledgerId: string;
  active: boolean;
  method: ShownMethod | null;
  nextCharge: Charge | null;
  nextBill: NextBill | null;
  problem: string | null;
  attempts: AttemptRow[];
};

/** A saved method as the rental's autopay shows it. */
type ShownMethod = MethodToShow & Pick<PaymentMethodRow, 'refused_at'>;

/**
 * One attempt of the autopay run, a payment intent; `tryOn` the day of the next one of the same
 * item.
 */
export type AttemptRow = {
  on: string;
  cents: number;
  state: IntentState;
  declineMessage: string | null;
  returnCode: string | null;
  tryOn: string | null;
};

/** The most attempts of a rental that are shown. */
const MOST_ATTEMPTS = 12;

/** The autopay of each current rental of a tenant record, by unit name, in one round trip. */
export async function findAutopays(
  ctx: Context,
  tenantId: string,
  timeZone: string,
): Promise<AutopayRow[]> {
  return readAutopays(ctx, timeZone, sql<boolean>`l.tenant_id = ${tenantId}`);
}

/** The autopay of these rentals, of facilities in one zone, where they are current. */
export async function findAutopaysOf(
  ctx: Context,
  timeZone: string,
  ledgerIds: string[],
): Promise<AutopayRow[]> {
  return readAutopays(ctx, timeZone, sql<boolean>`l.id = ANY(${ledgerIds}::uuid[])`);
}

type Row = Omit<Standing, 'today' | 'nextBill'> & {
  ledgerId: string;
  active: boolean;
  /** Staff hold the ledger, or its books are to be checked. */
  isOnHold: boolean;
  hasMandate: boolean;
  methodId: string | null;
  attempts: (Omit<AttemptRow, 'on'> & { at: string })[];
};

async function readAutopays(
  ctx: Context,
  timeZone: string,
  which: RawBuilder<boolean>,
): Promise<AutopayRow[]> {
  const today = calendarDateIn(timeZone, ctx.clock.now());
  const findRows = (db: Database) =>
    sql<Row>`
    SELECT l.id AS "ledgerId", coalesce(a.active, false) AS active, l.is_on_hold OR has_books_fault(l.id) AS "isOnHold",
      coalesce(${hasLiveMandate}, false) AS "hasMandate", a.payment_method_id AS "methodId",
      l.balance_cents AS "balanceCents", billed.due_on AS "newestDueOn",
      ${notEnforcedCents(today)} AS "notEnforcedCents", ${enforcedLater(today)} AS "enforcedLater",
      EXISTS (SELECT FROM autopay_items i WHERE i.ledger_id = l.id AND i.due_on = billed.due_on) AS "isTakenUp",
      (SELECT json_build_object('tryOn', i.try_on, 'cents', ${nextCents(today)}) FROM autopay_items i
        WHERE i.ledger_id = l.id AND i.state IN ('waiting', 'trying') AND NOT ${isPaidInPart(today)}
        ORDER BY i.try_on LIMIT 1) AS waiting,
      EXISTS (SELECT FROM billing_runs run
        WHERE run.facility_id = u.facility_id AND run.run_on = ${today} AND run.finished_at IS NOT NULL) AS "hasRunToday",
      (SELECT coalesce(json_agg(attempt ORDER BY attempt.at DESC), '[]') FROM (
        SELECT intent.created_at AS at, intent.amount_cents AS cents, intent.state,
          intent.decline_message AS "declineMessage", intent.return_code AS "returnCode", i.try_on AS "tryOn"
        FROM autopay_items i JOIN payment_intents intent ON intent.autopay_item_id = i.id
        WHERE i.ledger_id = l.id AND intent.state <> 'never_sent'
        ORDER BY intent.created_at DESC LIMIT ${sql.lit(MOST_ATTEMPTS)}
      ) attempt) AS attempts
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    LEFT JOIN autopays a ON a.ledger_id = l.id
    LEFT JOIN LATERAL (
      SELECT p.due_on FROM billed_periods p WHERE p.ledger_id = l.id AND p.due_on <= ${today} ORDER BY p.due_on DESC LIMIT 1
    ) billed ON true
    WHERE ${which} AND is_current_on(l.moved_out_on, ${today}::date)
    ORDER BY u.name, l.id`.execute(db);
  const { rows, methods, bills } = await inTransaction(ctx.db, async (db) => ({
    rows: (await findRows(db)).rows,
    methods: await findMethods(db, which),
    bills: await projectNextBills(db, which),
  }));
  return rows.map((row) => {
    const method = methods.get(row.methodId ?? '') ?? null;
    const nextBill = bills.get(row.ledgerId) ?? null;
    const standing = { ...row, today, nextBill };
    return {
      ledgerId: row.ledgerId,
      active: row.active,
      method,
      nextBill,
      ...outlookOf(row, standing, method),
      attempts: row.attempts.map(({ at, ...attempt }) => ({
        ...attempt,
        on: calendarDateIn(timeZone, new Date(at)),
      })),
    };
  });
}

function outlookOf(
  row: Row,
  standing: Standing,
  method: ShownMethod | null,
): Pick<AutopayRow, 'nextCharge' | 'problem'> {
  if (!row.active || method === null) return { nextCharge: null, problem: null };
  const obstacles = {
    hasMandate: row.hasMandate,
    isOnHold: row.isOnHold,
    isRefused: method.refused_at !== null,
    expiresOn: method.expires_on,
  };
  const nextCharge = isKeptFromCharging(obstacles) ? null : nextChargeOf(standing);
  return { nextCharge, problem: problemOf(obstacles, nextCharge, standing.today) };
}

/** The methods of the autopays of rentals `l`. */
async function findMethods(
  db: Database,
  which: RawBuilder<boolean>,
): Promise<Map<string, ShownMethod>> {
  const { rows } = await sql<ShownMethod>`
    SELECT DISTINCT ON (m.id) m.id, m.type, m.brand, m.last_four, m.routing_last_four, m.expires_on, m.funding,
      m.holder_name, m.street_address, m.postal_code, m.refused_at
    FROM ledgers l JOIN autopays a ON a.ledger_id = l.id JOIN payment_methods m ON m.id = a.payment_method_id
    WHERE ${which}`.execute(db);
  return new Map(rows.map((method) => [method.id, method]));
}
