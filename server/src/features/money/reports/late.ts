import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { LateLedgers } from '@gatehouse/contract/reports';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { lateSince, rentLateSince } from '#features/base/ledgers/owed-since.ts';
import { daysPastDue } from '#features/base/ledgers/rules.ts';

type Row = Omit<LateLedgers['ledgers'][number], 'balance' | 'daysPastDue'> & {
  timeZone: string;
  balanceCents: number;
  rentLateSince: string | null;
};

/**
 * Who owes how long: every rental with a balance above 0 whose rent is at least this many days past
 * due on its facility's day, and with 0 days also those that owe something else only. Former
 * rentals too.
 */
export async function findLateLedgers(
  { db, clock }: Context,
  { facilityId, days }: { facilityId: string | null; days: number },
): Promise<LateLedgers> {
  const { rows } = await sql<Row>`
    SELECT l.id AS "ledgerId", l.tenant_id AS "tenantId", f.location_code AS "locationCode", f.time_zone AS "timeZone",
      u.name AS "unitName", t.company, t.first_name AS "firstName", t.last_name AS "lastName", t.phone,
      l.balance_cents AS "balanceCents", l.moved_out_on AS "movedOutOn",
      ${lateSince} AS "owedSince", ${rentLateSince} AS "rentLateSince",
      CASE WHEN EXISTS (SELECT FROM autopays a WHERE a.ledger_id = l.id AND a.active) THEN 'on' ELSE 'off' END AS autopay
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    JOIN tenants t ON t.id = l.tenant_id
    WHERE l.balance_cents > 0 AND (${facilityId}::uuid IS NULL OR f.id = ${facilityId}::uuid)
    ORDER BY f.location_code, u.name, l.id`.execute(db);
  const now = clock.now();
  const late = rows
    .map(({ timeZone, rentLateSince: since, ...row }) => ({
      ...row,
      daysPastDue: daysPastDue(since, calendarDateIn(timeZone, now)),
    }))
    .filter((row) => row.daysPastDue >= days)
    .toSorted((a, b) => b.daysPastDue - a.daysPastDue);
  return {
    ledgers: late.map(({ balanceCents, ...row }) => ({ ...row, balance: toDollars(balanceCents) })),
    count: late.length,
    balance: toDollars(late.reduce((cents, { balanceCents }) => cents + balanceCents, 0)),
  };
}
