import { toDollars } from '@gatehouse/contract/money';
import type { Deposits } from '@gatehouse/contract/reports';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';

type Facility = Deposits['facilities'][number];
type Taking = Facility['takings'][number];
type Row = Pick<Taking, 'type' | 'count'> & { locationCode: string; cents: number } & (
    | ({ isBack: false; reason: null } & Pick<Taking, 'via' | 'payout'>)
    | { isBack: true; reason: string }
  );

/**
 * What the payments, won disputes and reversals of both that were posted on a day of the
 * facilities' calendar come to, by facility, type, who took them and the gateway's payout. What was
 * paid or refunded at once over several rentals counts once. A credit that was moved to another
 * rental is no money that went back. Facilities without any are left out.
 */
export async function findDeposits(
  db: Database,
  { on, facilityIds }: { on: string; facilityIds: Places },
): Promise<Deposits> {
  const { rows } = await sql<Row>`
    SELECT f.location_code AS "locationCode", sums.cents < 0 AS "isBack", sums.type, sums.count, abs(sums.cents) AS cents,
      sums.reason, sums.via,
      CASE WHEN po.id IS NOT NULL
        THEN json_build_object('payoutId', po.id, 'arrivesOn', po.arrives_on, 'standing', po.standing) END AS payout
    FROM (
      SELECT one.facility_id, one.type, one.reason, one.via, one.payout_id, count(*)::integer AS count,
        sum(one.cents)::bigint AS cents
      FROM (
        SELECT k.facility_id, k.type, k.reason, k.via, k.payout_id, sum(k.cents) AS cents
        FROM takings k
        WHERE k.cents > 0 AND k.posted_on = ${on}::date AND ${within(sql`k.facility_id`, facilityIds)}
        GROUP BY 1, 2, 3, 4, 5, k.intent_id
        UNION ALL
        SELECT k.facility_id, k.type, k.reason, k.via, k.payout_id, sum(k.cents)
        FROM takings k LEFT JOIN refund_parts part ON part.reversal_entry_id = k.entry_id
        WHERE k.cents < 0 AND k.posted_on = ${on}::date AND ${within(sql`k.facility_id`, facilityIds)}
        GROUP BY 1, 2, 3, 4, 5, coalesce(part.refund_id, k.intent_id)
      ) one
      GROUP BY 1, 2, 3, 4, 5
    ) sums
    JOIN facilities f ON f.id = sums.facility_id
    LEFT JOIN gateway_payouts po ON po.id = sums.payout_id
    ORDER BY f.location_code, sums.type, sums.via, sums.reason, po.arrives_on NULLS LAST, po.id`.execute(
    db,
  );
  const facilities = [...Map.groupBy(rows, ({ locationCode }) => locationCode)].map(
    ([locationCode, own]) => {
      const takings = own.filter((row) => !row.isBack);
      const takenBack = own.filter((row) => row.isBack);
      return {
        locationCode,
        takings: takings.map(({ type, via, payout, count, cents }) => ({
          type,
          via,
          payout,
          count,
          amount: toDollars(cents),
        })),
        takenBack: takenBack.map(({ type, reason, count, cents }) => ({
          type,
          reason,
          count,
          amount: toDollars(cents),
        })),
        taken: sumOf(takings),
        back: sumOf(takenBack),
      };
    },
  );
  return {
    on,
    facilities,
    taken: sumOf(rows.filter(({ isBack }) => !isBack)),
    back: sumOf(rows.filter(({ isBack }) => isBack)),
  };
}

function sumOf(rows: { cents: number }[]): number {
  return toDollars(rows.reduce((sum, { cents }) => sum + cents, 0));
}
