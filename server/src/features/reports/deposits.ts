import { toDollars } from '@gatehouse/contract/money';
import type { Deposits } from '@gatehouse/contract/reports';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

type Facility = Deposits['facilities'][number];
type Taking = Facility['takings'][number];
type Row = Pick<Taking, 'type' | 'count'> & { locationCode: string; cents: number } & (
    | ({ isBack: false; reason: null } & Pick<Taking, 'via' | 'payout'>)
    | { isBack: true; reason: string }
  );

/**
 * What the payments, won disputes and reversals of both that were posted on a day of the
 * facilities' calendar come to, by facility, type, who took them and the gateway's payout. A credit
 * that was moved to another rental is no money that went back. Facilities without any are left out.
 */
export async function findDeposits(
  db: Database,
  { on, facilityIds }: { on: string; facilityIds: string[] | null },
): Promise<Deposits> {
  const { rows } = await sql<Row>`
    SELECT f.location_code AS "locationCode", e.kind = 'reversal' AS "isBack",
      CASE WHEN r.way IN ('cash', 'check') THEN r.way ELSE i.type END AS type, count(*)::integer AS count,
      abs(sum(e.amount_cents))::bigint AS cents, rev.reason,
      CASE e.kind WHEN 'credit' THEN 'dispute' WHEN 'payment' THEN CASE i.initiator WHEN 'staff' THEN 'counter'
        WHEN 'import' THEN 'import' ELSE 'gateway' END END AS via,
      CASE WHEN po.id IS NOT NULL
        THEN json_build_object('payoutId', po.id, 'arrivesOn', po.arrives_on, 'standing', po.standing) END AS payout
    FROM entries e
    LEFT JOIN reversals rev ON rev.entry_id = e.id
    LEFT JOIN payments p ON p.entry_id = coalesce(rev.payment_entry_id, e.id)
    LEFT JOIN dispute_parts won ON won.credit_entry_id = coalesce(rev.payment_entry_id, e.id)
    LEFT JOIN disputes d ON d.id = won.dispute_id
    JOIN payment_intents i ON i.id = coalesce(p.intent_id, d.intent_id)
    LEFT JOIN refund_parts refunded ON refunded.reversal_entry_id = e.id
    LEFT JOIN refunds r ON r.id = refunded.refund_id
    LEFT JOIN payout_payments pp ON pp.intent_id = i.id AND e.kind = 'payment'
    LEFT JOIN gateway_payouts po ON po.id = pp.payout_id
    JOIN ledgers l ON l.id = e.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    WHERE e.posted_on = ${on} AND e.kind IN ('payment', 'credit', 'reversal') AND rev.reason IS DISTINCT FROM 'moved'
      AND (${facilityIds}::uuid[] IS NULL OR f.id = ANY(${facilityIds}::uuid[]))
    GROUP BY f.location_code, 2, 3, rev.reason, 7, po.id
    ORDER BY f.location_code, 3, 7, rev.reason, po.arrives_on NULLS LAST, po.id`.execute(db);
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
