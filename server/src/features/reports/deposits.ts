import { toDollars } from '@gatehouse/contract/money';
import type { Deposits } from '@gatehouse/contract/reports';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

type Facility = Deposits['facilities'][number];
type Taking = Facility['takings'][number];
type Row = Pick<Taking, 'type' | 'count'> & { locationCode: string; cents: number } & (
    ({ kind: 'payment'; reason: null } & Pick<Taking, 'via' | 'payout'>) | { kind: 'reversal'; reason: string }
  );

/**
 * What the payments and reversals of payments that were posted on a day of the facilities' calendar
 * come to, by facility, type, who took them and the gateway's payout. Facilities without any are left out.
 */
export async function findDeposits(
  db: Database,
  { on, facilityId }: { on: string; facilityId: string | null },
): Promise<Deposits> {
  const { rows } = await sql<Row>`
    SELECT f.location_code AS "locationCode", e.kind, i.type, count(*)::integer AS count,
      abs(sum(e.amount_cents))::bigint AS cents, rev.reason,
      CASE WHEN e.kind = 'payment' THEN CASE i.initiator WHEN 'staff' THEN 'counter' WHEN 'import' THEN 'import'
        ELSE 'gateway' END END AS via,
      CASE WHEN po.id IS NOT NULL
        THEN json_build_object('payoutId', po.id, 'arrivesOn', po.arrives_on, 'standing', po.standing) END AS payout
    FROM entries e
    LEFT JOIN reversals rev ON rev.entry_id = e.id
    JOIN payments p ON p.entry_id = coalesce(rev.payment_entry_id, e.id)
    JOIN payment_intents i ON i.id = p.intent_id
    LEFT JOIN payout_payments pp ON pp.intent_id = i.id AND e.kind = 'payment'
    LEFT JOIN gateway_payouts po ON po.id = pp.payout_id
    JOIN ledgers l ON l.id = e.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    WHERE e.posted_on = ${on} AND e.kind IN ('payment', 'reversal')
      AND (${facilityId}::uuid IS NULL OR f.id = ${facilityId}::uuid)
    GROUP BY f.location_code, e.kind, i.type, rev.reason, 7, po.id
    ORDER BY f.location_code, i.type, 7, rev.reason, po.arrives_on NULLS LAST, po.id`.execute(db);
  const facilities = [...Map.groupBy(rows, ({ locationCode }) => locationCode)].map(([locationCode, own]) => {
    const takings = own.filter((row) => row.kind === 'payment');
    const takenBack = own.filter((row) => row.kind === 'reversal');
    return {
      locationCode,
      takings: takings.map(({ type, via, payout, count, cents }) => ({
        type,
        via,
        payout,
        count,
        amount: toDollars(cents),
      })),
      takenBack: takenBack.map(({ type, reason, count, cents }) => ({ type, reason, count, amount: toDollars(cents) })),
      taken: sumOf(takings),
      back: sumOf(takenBack),
    };
  });
  return {
    on,
    facilities,
    taken: sumOf(rows.filter(({ kind }) => kind === 'payment')),
    back: sumOf(rows.filter(({ kind }) => kind === 'reversal')),
  };
}

function sumOf(rows: { cents: number }[]): number {
  return toDollars(rows.reduce((sum, { cents }) => sum + cents, 0));
}
