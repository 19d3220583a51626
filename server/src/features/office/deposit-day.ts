import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { getDepositDay } from '@gatehouse/contract/office/reports';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { refusalOf } from '#features/drawers/closers.ts';
import { readDrawers } from '#features/drawers/drawers.ts';
import type { StaffMember } from '#http/staff-guard.ts';

type DepositDay = Reply<typeof getDepositDay>;

/** The drawers of a day and the gateway's payouts; `work` reads who could close a drawer. */
export async function readDepositDay(
  ctx: Context,
  work: Context,
  staff: StaffMember,
  { on, facilityIds }: { on: string; facilityIds: string[] },
): Promise<DepositDay> {
  const now = ctx.clock.now();
  const drawers = await readDrawers({ db: ctx.db, staffDb: work.db }, facilityIds, on);
  const closer = { id: staff.staffId, name: staff.name, role: staff.role };
  return {
    on,
    drawers: drawers
      .filter(({ lines, closing }) => lines.length > 0 || closing !== null)
      .map((drawer) => ({
        locationCode: drawer.locationCode,
        lines: drawer.lines.map(({ type, count, expectedCents, countedCents }) => ({
          ...{ type, count, expected: toDollars(expectedCents) },
          counted: countedCents === null ? null : toDollars(countedCents),
          difference: countedCents === null ? null : toDollars(countedCents - expectedCents),
        })),
        takers: drawer.takers.map(({ by, count, cents }) => ({
          ...{ by, count, amount: toDollars(cents) },
        })),
        closing: drawer.closing && {
          ...drawer.closing,
          closedAt: new Date(drawer.closing.closedAt).toISOString(),
        },
        refusal:
          refusalOf({ on, today: calendarDateIn(drawer.timeZone, now) }, drawer, closer)?.message ??
          null,
      })),
    ...(await readGateway(ctx, { on, facilityIds })),
  };
}

type Row = {
  payouts: {
    payoutId: string;
    standing: DepositDay['payouts'][number]['standing'];
    count: number;
    cents: number;
  }[];
  taken: number;
  paidOut: number;
  takenBack: number;
  waiting: number;
};

/** What the gateway took on the day by the books, and the payouts that arrive on it. */
async function readGateway(
  { db }: Context,
  { on, facilityIds }: { on: string; facilityIds: string[] },
): Promise<Pick<DepositDay, 'payouts' | 'gateway'>> {
  const posted = sql`
    SELECT i.id, -e.amount_cents AS cents, po.id AS payout_id, po.standing,
      (SELECT coalesce(sum(back.amount_cents), 0) FROM reversals rev JOIN entries back ON back.id = rev.entry_id
        WHERE rev.payment_entry_id = e.id) AS back_cents
    FROM entries e
    JOIN payments p ON p.entry_id = e.id
    JOIN payment_intents i ON i.id = p.intent_id AND i.initiator IN ('tenant', 'autopay')
    JOIN ledgers l ON l.id = e.ledger_id
    JOIN units u ON u.id = l.unit_id AND u.facility_id = ANY(${facilityIds}::uuid[])
    LEFT JOIN payout_payments pp ON pp.intent_id = i.id
    LEFT JOIN gateway_payouts po ON po.id = pp.payout_id`;
  const { rows } = await sql<Row>`
    WITH taken AS (SELECT *, coalesce(standing IN ('underWay', 'paid'), false) AS is_paid_out
      FROM (${posted} WHERE e.posted_on = ${on}::date) of_day),
    arriving AS (${posted} WHERE po.arrives_on = ${on}::date)
    SELECT (SELECT coalesce(json_agg(json_build_object('payoutId', one.payout_id, 'standing', one.standing,
        'count', one.count, 'cents', one.cents) ORDER BY one.payout_id), '[]')
        FROM (SELECT payout_id, standing, count(DISTINCT id)::integer AS count, sum(cents)::bigint AS cents
          FROM arriving GROUP BY 1, 2) one) AS payouts,
      (SELECT coalesce(sum(cents), 0)::bigint FROM taken) AS taken,
      (SELECT coalesce(sum(cents), 0)::bigint FROM taken WHERE is_paid_out) AS "paidOut",
      (SELECT coalesce(sum(back_cents), 0)::bigint FROM taken) AS "takenBack",
      (SELECT coalesce(sum(cents - back_cents), 0)::bigint FROM taken WHERE NOT is_paid_out) AS waiting`.execute(
    db,
  );
  const row = rows[0]!;
  return {
    payouts: row.payouts.map(({ cents, ...payout }) => ({ ...payout, amount: toDollars(cents) })),
    gateway: {
      taken: toDollars(row.taken),
      paidOut: toDollars(row.paidOut),
      takenBack: toDollars(row.takenBack),
      waiting: toDollars(row.waiting),
    },
  };
}
