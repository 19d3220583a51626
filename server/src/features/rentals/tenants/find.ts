import { toDollars } from '@gatehouse/contract/money';
import { readPhone } from '@gatehouse/contract/read-phone';
import { MOST_FOUND, type FoundTenants } from '@gatehouse/contract/tenant-records';
import { plainNumber } from '@gatehouse/contract/typed';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import { Refusal } from '#errors/refusal.ts';

type Row = {
  tenantId: string;
  locationCode: string;
  company: string | null;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  rentals: {
    ledgerId: string;
    unitName: string;
    balanceCents: number;
    movedOutOn: string | null;
  }[];
};

/** Sorts after every text that begins alike. */
const LAST = '\u{10FFFF}';

/**
 * The tenant records that a text fits: the beginning of an email, of a name in either order or of a
 * word within it, the last seven digits or more of a phone number in any writing, the last four or
 * more of a license plate, a whole unit name, receipt number, number of a check or money order, or
 * the last four digits of a saved method. Names, units and plates are compared by their stored key,
 * which folds case, accents and signs. One statement, each part of it by an index. Refuses with 422
 * a text of one character.
 */
export async function findTenants(
  db: Database,
  text: string,
  places: Places,
): Promise<FoundTenants> {
  const asked = text.trim();
  if (asked.length < 2) throw new Refusal(422, 'Look for two characters at least.');
  const { rows } = await findQuery(asked, places).execute(db);
  return {
    tenants: rows.slice(0, MOST_FOUND).map(({ rentals, ...tenant }) => ({
      ...tenant,
      rentals: rentals.map(({ balanceCents, ...rental }) => ({
        ...rental,
        balance: toDollars(balanceCents),
      })),
    })),
    isMore: rows.length > MOST_FOUND,
  };
}

/** The statement of `findTenants`, of rows as many as are shown and one more. */
export function findQuery(asked: string, places: Places): RawBuilder<Row> {
  return sql<Row>`
    WITH hit (id, rank) AS (${sql.join(hitsOf(asked, places), sql` UNION ALL `)}),
    best AS (
      SELECT id, min(rank) AS rank FROM hit GROUP BY id
    )
    SELECT t.id AS "tenantId", f.location_code AS "locationCode", t.company, t.first_name AS "firstName", t.last_name AS "lastName",
      t.email, t.phone, rented.rentals
    FROM best JOIN tenants t ON t.id = best.id JOIN facilities f ON f.id = t.facility_id
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('ledgerId', l.id, 'unitName', u.name, 'balanceCents', l.balance_cents,
        'movedOutOn', l.moved_out_on) ORDER BY l.moved_out_on IS NOT NULL, u.name), '[]') AS rentals
      FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE l.tenant_id = t.id
    ) rented
    ORDER BY best.rank, t.last_key, t.first_key, t.id LIMIT ${MOST_FOUND + 1}`;
}

/**
 * One query of `id` and `rank` for each way in which the text may fit, each of as many rows as are
 * shown and one more.
 */
function hitsOf(asked: string, places: Places): RawBuilder<unknown>[] {
  const text = asked.normalize();
  const key = sql`search_key(${text})`;
  const digits = phoneDigits(asked);
  const most = sql`LIMIT ${MOST_FOUND + 1}`;
  // A prefix as a range: LIKE finds no index in a plan that is kept for several texts.
  const beginningIn = (
    { table, id, column }: { table: string; id: string; column: RawBuilder<unknown> },
    prefix: RawBuilder<unknown>,
    rank: number,
  ) => sql`(
    SELECT one.id, ${rank}::integer AS rank FROM ${inEach(
      places,
      (isHere) => sql`SELECT t.${sql.ref(id)} AS id, ${column} AS text FROM ${sql.table(table)} t
        WHERE ${column} ~>=~ ${prefix} AND ${column} ~<~ (${prefix} || ${LAST}::text) AND ${prefix} <> '' AND ${isHere(sql`t`)}
        ORDER BY ${column} USING ~<~ ${most}`,
    )} ORDER BY one.text USING ~<~ ${most})`;
  const beginning = (column: RawBuilder<unknown>, prefix: RawBuilder<unknown>, rank: number) =>
    beginningIn({ table: 'tenants', id: 'id', column }, prefix, rank);
  const ofLedgers = (ledgers: RawBuilder<unknown>, rank: number) => sql`(
    SELECT t.id, ${rank}::integer FROM (${ledgers}) found JOIN ledgers l ON l.id = found.ledger_id
    JOIN tenants t ON t.id = l.tenant_id WHERE ${within(sql`t.facility_id`, places)} ${most})`;
  const email = sql`lower(${text}::text)`;

  const hits = [
    ofLedgers(
      sql`SELECT p.ledger_id FROM payments p WHERE p.receipt_number = ${asked}
        UNION ALL SELECT p.ledger_id FROM payment_intents i JOIN payments p ON p.intent_id = i.id
        WHERE i.receipt_number = ${asked}`,
      0,
    ),
    ofLedgers(
      sql`SELECT l.id AS ledger_id FROM ${inEach(
        places,
        (isHere) =>
          sql`SELECT u.id FROM units u WHERE u.name_key = ${key} AND ${key} <> '' AND ${isHere(sql`u`)}`,
      )} JOIN ledgers l ON l.unit_id = one.id`,
      1,
    ),
    ofLedgers(
      sql`SELECT p.ledger_id FROM payment_intents i JOIN payments p ON p.intent_id = i.id
        WHERE i.type IN ('check', 'moneyOrder')
          AND lower(i.method_description) IN (${email}, 'check ' || ${email}, 'money order ' || ${email})`,
      1,
    ),
    // Whole where it is shorter than four.
    ofLedgers(
      sql`SELECT v.ledger_id FROM rental_vehicles v
        WHERE right(v.plate_key, 4) = right(${key}, 4) AND right(v.plate_key, length(${key})) = ${key} AND length(${key}) >= 2`,
      1,
    ),
  ];
  if (digits.length >= 7)
    hits.push(
      sql`(SELECT one.id, 1 FROM ${inEach(
        places,
        (isHere) => sql`SELECT t.id FROM tenants t
          WHERE right(t.phone_digits, 7) = ${digits.slice(-7)} AND ${isHere(sql`t`)}
            AND ${digits} IN (right(t.phone_digits, ${digits.length}::integer), '1' || t.phone_digits) ${most}`,
      )} ${most})`,
    );
  if (/^\d{4}$/.test(asked))
    hits.push(
      sql`(SELECT m.tenant_id, 2 FROM payment_methods m JOIN tenants t ON t.id = m.tenant_id
        WHERE m.last_four = ${asked} AND ${within(sql`t.facility_id`, places)} ${most})`,
    );
  if (asked.includes('@')) hits.push(beginning(sql`lower(t.email)`, email, 2));
  else {
    hits.push(beginning(sql`(t.last_key || t.first_key)`, key, 2));
    hits.push(beginning(sql`(t.first_key || t.last_key)`, key, 3));
    hits.push(
      beginningIn({ table: 'tenant_name_parts', id: 'tenant_id', column: sql`t.part` }, key, 4),
    );
    hits.push(beginning(sql`lower(t.email)`, email, 5));
  }
  return hits;
}

/** The digits of what may be a phone number, or its end, without an extension. */
function phoneDigits(asked: string): string {
  const [number = ''] = (readPhone(asked) ?? plainNumber(asked)).split(' ext. ');
  return number.replace(/\D/g, '');
}

type IsHere = (table: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * The rows of a statement as `one`: of each place by itself, by an index that begins with the
 * facility. By an index of all facilities the rows of thousands of others would be read first.
 */
function inEach(
  places: Places,
  rows: (isHere: IsHere) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (places === null) return sql`(${rows(() => sql`true`)}) one`;
  return sql`unnest(${places}::uuid[]) AS place (id)
    CROSS JOIN LATERAL (${rows((table) => sql`${table}.facility_id = place.id`)}) one`;
}
