import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { getDepositDay } from '@gatehouse/contract/office/reports';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { refusalOf } from '#features/money/drawers/closers.ts';
import { drawerLineOf, readDrawers } from '#features/money/drawers/drawers.ts';
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
        by,
        count,
        amount: toDollars(cents),
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

type Payout = Omit<DepositDay['payouts'][number], 'amount'> & { cents: number };

/** What the gateway took on the day by the books, and the payouts that arrive on it. */
async function readGateway(
  { db }: Context,
  { on, places }: { on: string; places: Places },
): Promise<Pick<DepositDay, 'payouts' | 'gateway'>> {
  const isHere = within(sql`k.facility_id`, places);
  const { rows: payouts } = await sql<Payout>`
    SELECT po.id AS "payoutId", po.standing, count(DISTINCT k.intent_id)::integer AS count, sum(k.cents)::bigint AS cents
    FROM gateway_payouts po JOIN takings k ON k.payout_id = po.id
    WHERE po.arrives_on = ${on}::date AND ${isHere} GROUP BY po.id ORDER BY po.id`.execute(db);
  const days = await readGatewayDays({ db }, { from: on, to: on }, places);
  const sum = (of: keyof DepositDay['gateway']) =>
    toDollars(days.reduce((all, day) => all + day[of], 0));
  return {
    payouts: payouts.map(({ cents, ...payout }) => ({ ...payout, amount: toDollars(cents) })),
    gateway: {
      taken: sum('taken'),
      paidOut: sum('paidOut'),
      takenBack: sum('takenBack'),
      waiting: sum('waiting'),
    },
  };
}

/** The gateway's money by the day on which it was taken, and facility; in cents. */
export type GatewayDay = Record<keyof DepositDay['gateway'], number> & {
  day: string;
  locationCode: string;
};

/** What the gateway took on the days by the books, and what of it was paid out or given back. */
export async function readGatewayDays(
  { db }: Pick<Context, 'db'>,
  { from, to }: { from: string; to: string },
  places: Places,
): Promise<GatewayDay[]> {
  const { rows } = await sql<GatewayDay>`
    SELECT payment.posted_on AS day, f.location_code AS "locationCode", sum(cents)::bigint AS taken,
      coalesce(sum(cents) FILTER (WHERE is_paid_out), 0)::bigint AS "paidOut",
      sum(back_cents)::bigint AS "takenBack",
      coalesce(sum(cents - back_cents) FILTER (WHERE NOT is_paid_out), 0)::bigint AS waiting
    FROM (
      -- What is given back in another way, such as in cash, the gateway pays out all the same.
      SELECT k.posted_on, k.facility_id, sum(k.cents) AS cents, coalesce(po.standing IN ('underWay', 'paid'), false) AS is_paid_out, (
        SELECT coalesce(-sum(back.cents), 0) FROM takings back
        WHERE back.intent_id = k.intent_id AND back.type = k.type AND back.via IS DISTINCT FROM 'gateway') AS back_cents
      FROM takings k LEFT JOIN gateway_payouts po ON po.id = k.payout_id
      WHERE k.posted_on BETWEEN ${from}::date AND ${to}::date AND k.via = 'gateway' AND ${within(sql`k.facility_id`, places)}
      GROUP BY k.posted_on, k.facility_id, k.intent_id, k.type, po.standing
    ) payment JOIN facilities f ON f.id = payment.facility_id
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return rows;
}
