import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { getDepositDay } from '@gatehouse/contract/office/reports';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { refusalOf } from '#features/drawers/closers.ts';
import { drawerLineOf, readDrawers } from '#features/drawers/drawers.ts';
import type { StaffMember } from '#http/staff-guard.ts';

type DepositDay = Reply<typeof getDepositDay>;

/** The drawers of a day and the gateway's payouts; `work` reads who could close a drawer. */
export async function readDepositDay(
  ctx: Context,
  work: Context,
  staff: StaffMember,
  { on, places }: { on: string; places: Places },
): Promise<DepositDay> {
  const now = ctx.clock.now();
  const drawers = await readDrawers({ db: ctx.db, staffDb: work.db }, places, { on, isUsed: true });
  const closer = { id: staff.staffId, name: staff.name, role: staff.role };
  return {
    on,
    drawers: drawers.map((drawer) => ({
      locationCode: drawer.locationCode,
      lines: drawer.lines.map(drawerLineOf),
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
    ...(await readGateway(ctx, { on, places })),
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
  { on, places }: { on: string; places: Places },
): Promise<Pick<DepositDay, 'payouts' | 'gateway'>> {
  const isHere = within(sql`k.facility_id`, places);
  const { rows } = await sql<Row>`
    WITH taken AS (
      SELECT coalesce(po.standing IN ('underWay', 'paid'), false) AS is_paid_out, sum(of_day.cents) AS cents
      FROM (
        SELECT k.payout_id, sum(k.cents) AS cents FROM takings k
        WHERE k.posted_on = ${on}::date AND k.via = 'gateway' AND ${isHere} GROUP BY 1
      ) of_day LEFT JOIN gateway_payouts po ON po.id = of_day.payout_id GROUP BY 1
    ), back AS (
      SELECT coalesce(po.standing IN ('underWay', 'paid'), false) AS is_paid_out, -sum(k.cents) AS cents
      FROM takings k JOIN reversals rev ON rev.entry_id = k.entry_id
      JOIN takings paid ON paid.entry_id = rev.payment_entry_id AND paid.posted_on = ${on}::date AND paid.via = 'gateway'
      LEFT JOIN gateway_payouts po ON po.id = paid.payout_id
      WHERE k.cents < 0 AND k.posted_on >= ${on}::date AND ${isHere} GROUP BY 1
    ), arriving AS (
      SELECT po.id, po.standing, count(DISTINCT k.intent_id)::integer AS count, sum(k.cents)::bigint AS cents
      FROM gateway_payouts po JOIN takings k ON k.payout_id = po.id
      WHERE po.arrives_on = ${on}::date AND ${isHere} GROUP BY 1, 2
    )
    SELECT (SELECT coalesce(json_agg(json_build_object('payoutId', id, 'standing', standing, 'count', count, 'cents', cents)
        ORDER BY id), '[]') FROM arriving) AS payouts,
      (SELECT coalesce(sum(cents), 0)::bigint FROM taken) AS taken,
      (SELECT coalesce(sum(cents), 0)::bigint FROM taken WHERE is_paid_out) AS "paidOut",
      (SELECT coalesce(sum(cents), 0)::bigint FROM back) AS "takenBack",
      ((SELECT coalesce(sum(cents), 0) FROM taken WHERE NOT is_paid_out)
        - (SELECT coalesce(sum(cents), 0) FROM back WHERE NOT is_paid_out))::bigint AS waiting`.execute(
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
