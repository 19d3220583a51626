import { daysBetween } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import {
  journalAccounts,
  type getJournal,
  type JournalAccount,
  type JournalBasis,
  type JournalRow,
} from '@gatehouse/contract/office/journal';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import { Refusal } from '#errors/refusal.ts';
import { readFacts, type Range } from './facts.ts';
import { linesOf, type Line } from './lines.ts';

const MOST_DAYS = 366;

/**
 * The journal of some days, by the calendar of each facility. Refuses with 422 a range that is
 * upside down or longer than a year.
 */
export async function readJournal(
  { db }: Pick<Context, 'db'>,
  { from, to, basis }: Range & { basis: JournalBasis },
  places: Places,
): Promise<Reply<typeof getJournal>> {
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw new Refusal(422, 'The first day must not be after the last.');
  if (days > MOST_DAYS) throw new Refusal(422, 'The journal shows at most a year at once.');
  const facilities = await readPlaces(db, places);
  const lines = await readLines(db, { from, to }, basis, places);
  const order = Object.keys(journalAccounts);
  const rows = [...Map.groupBy(lines, (line) => `${line.day} ${line.facilityId} ${line.account}`)]
    .map(([, [first, ...others]]): JournalRow => {
      const { day, facilityId, account } = first!;
      const all = [first!, ...others].map(({ cents }) => cents);
      const sum = (sign: 1 | -1) =>
        toDollars(all.reduce((total, cents) => total + Math.max(0, sign * cents), 0));
      const { locationCode, accounts } = facilities.get(facilityId)!;
      const { number, name } = accounts[account] ?? journalAccounts[account];
      const id = `${day} ${locationCode} ${account}`;
      return { id, day, locationCode, account, number, name, debit: sum(1), credit: sum(-1) };
    })
    .toSorted(
      (a, b) =>
        compare(a.day, b.day) ||
        compare(a.locationCode, b.locationCode) ||
        order.indexOf(a.account) - order.indexOf(b.account),
    );
  const total = (sign: 1 | -1) =>
    toDollars(lines.reduce((sum, { cents }) => sum + Math.max(0, sign * cents), 0));
  return {
    rows,
    debit: total(1),
    credit: total(-1),
    facilities: [...facilities.values()].map(({ locationCode, closedThrough }) => ({
      locationCode,
      closedThrough,
    })),
  };
}

/** What comes to the accounts on the days of a range, days included. */
export async function readLines(
  db: Database,
  { from, to }: Range,
  basis: JournalBasis,
  places: Places,
): Promise<Line[]> {
  const facts = await readFacts(db, { from, to }, places, basis);
  return facts
    .flatMap((fact) => linesOf(fact, basis))
    .filter(({ day }) => day >= from && day <= to);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

type Place = {
  id: string;
  locationCode: string;
  closedThrough: string | null;
  /** As the operator has named them. */
  accounts: Partial<Record<JournalAccount, { number: string; name: string }>>;
};

async function readPlaces(db: Database, places: Places): Promise<Map<string, Place>> {
  const { rows } = await sql<Place>`
    SELECT f.id, f.location_code AS "locationCode",
      (SELECT max(m.last_day) FROM closed_months m WHERE m.facility_id = f.id) AS "closedThrough", coalesce((
      SELECT json_object_agg(a.account, json_build_object('number', a.number, 'name', a.name))
      FROM journal_accounts a WHERE a.corporation_id = f.corporation_id), '{}') AS accounts
    FROM facilities f WHERE ${within(sql`f.id`, places)} ORDER BY f.location_code`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
