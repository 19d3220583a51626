import { sumDollars, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { newEntries } from './entries.ts';
import type { Place } from './rows.ts';

/**
 * What an import does to balances, in dollars: the sum of them before and after, what is charged,
 * and what is credited: payments and other credits, less what is taken back of them.
 */
export type Sums = {
  before: number;
  charged: number;
  paid: number;
  credited: number;
  takenBack: number;
  after: number;
};

/** A rental whose balance an import changes, in dollars. */
export type BalanceChange = {
  facility: string;
  unit: string;
  ledgerId: string;
  before: number;
  after: number;
};

/**
 * The money of an import: by facility and in sum, with the largest changes of a balance, the
 * largest first.
 */
export type Money = {
  facilities: ({ facility: string } & Sums)[];
  total: Sums;
  largest: BalanceChange[];
};

const MOST_CHANGES = 10;

/** The balances of a facility's ledgers, in cents. */
export async function sumBalances(db: Database, facilityId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(l.balance_cents), 0)::bigint AS cents FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE u.facility_id = ${facilityId}`.execute(db);
  return rows[0]!.cents;
}

/**
 * What the facility's new entries did, once they are posted; `beforeCents` is what `sumBalances`
 * answered before.
 */
export async function readMoney(place: Place, beforeCents: number): Promise<Money> {
  const { db, facility, facilityId } = place;
  const { rows } = await sql<Record<'charged' | 'paid' | 'credited' | 'takenBack', number>>`
    SELECT coalesce(sum(e.cents) FILTER (WHERE e.kind = 'charge'), 0)::bigint AS charged,
      coalesce(sum(e.cents) FILTER (WHERE e.kind = 'payment'), 0)::bigint AS paid,
      coalesce(sum(e.cents) FILTER (WHERE e.kind IN ('credit', 'waiver')), 0)::bigint AS credited,
      coalesce(sum(e.cents) FILTER (WHERE e.kind = 'reversal'), 0)::bigint AS "takenBack"
    FROM ${newEntries(facility)}`.execute(db);
  const { rows: largest } = await sql<BalanceChange>`
    SELECT ${facility}::text AS facility, u.name AS unit, l.id AS "ledgerId", l.balance_cents - e.cents AS before,
      l.balance_cents AS after
    FROM (
      SELECT e.ledger_id, sum(CASE e.rank WHEN 1 THEN -e.cents ELSE e.cents END)::bigint AS cents
      FROM ${newEntries(facility)} GROUP BY 1
    ) e
    JOIN known_ids k ON k.kind = 'ledger' AND k.facility = ${facility} AND k.id = e.ledger_id
    JOIN ledgers l ON l.id = k.row_id JOIN units u ON u.id = l.unit_id
    WHERE e.cents <> 0 ORDER BY abs(e.cents) DESC, u.name LIMIT ${MOST_CHANGES}`.execute(db);
  const { charged, paid, credited, takenBack } = rows[0]!;
  const sums = {
    before: toDollars(beforeCents),
    charged: toDollars(charged),
    paid: toDollars(paid),
    credited: toDollars(credited),
    takenBack: toDollars(takenBack),
    after: toDollars(await sumBalances(db, facilityId)),
  };
  const inDollars = largest.map((one) => ({
    ...one,
    before: toDollars(one.before),
    after: toDollars(one.after),
  }));
  return { facilities: [{ facility, ...sums }], total: sums, largest: inDollars };
}

export function noMoney(): Money {
  return {
    facilities: [],
    total: { before: 0, charged: 0, paid: 0, credited: 0, takenBack: 0, after: 0 },
    largest: [],
  };
}

/** The money of both together. */
export function addMoney(one: Money, other: Money): Money {
  const add = (of: keyof Sums) => sumDollars([one.total[of], other.total[of]]);
  const size = ({ before, after }: BalanceChange) => Math.abs(after - before);
  return {
    facilities: [...one.facilities, ...other.facilities],
    total: {
      before: add('before'),
      charged: add('charged'),
      paid: add('paid'),
      credited: add('credited'),
      takenBack: add('takenBack'),
      after: add('after'),
    },
    largest: [...one.largest, ...other.largest]
      .sort((a, b) => size(b) - size(a))
      .slice(0, MOST_CHANGES),
  };
}
