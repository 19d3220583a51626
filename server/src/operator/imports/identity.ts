import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { IdKind } from './columns.ts';
import { importFiles, type FileName } from './files.ts';
import { staged } from './staging.ts';

/**
 * What the rows of a file are, and how those of the database that have no id of the operator's are
 * read: id, facility's id.
 */
type Identity = { kind: IdKind; own: RawBuilder<unknown> };

const byLedger = (table: string, id = 'id') => sql`
  SELECT o.${sql.ref(id)} AS id, u.facility_id FROM ${sql.table(table)} o
  JOIN ledgers l ON l.id = o.ledger_id JOIN units u ON u.id = l.unit_id`;
const byTenant = (table: string) => sql`
  SELECT o.id, t.facility_id FROM ${sql.table(table)} o JOIN tenants t ON t.id = o.tenant_id`;
const byFacility = (table: string) => sql`SELECT id, facility_id FROM ${sql.table(table)}`;

/**
 * Rows of these are found again by an id; those of the others by their ledger. Insurance is two
 * kinds in one file.
 */
const identities: [FileName, Identity][] = [
  ['discountPlans', { kind: 'discount_plan', own: byFacility('discount_plans') }],
  ['protectionPlans', { kind: 'protection_plan', own: byFacility('protection_plans') }],
  ['tenants', { kind: 'tenant', own: byFacility('tenants') }],
  ['ledgers', { kind: 'ledger', own: byTenant('ledgers') }],
  ['charges', { kind: 'charge', own: byLedger('charges', 'entry_id') }],
  [
    'payments',
    {
      kind: 'payment',
      own: sql`${byLedger('payments', 'entry_id')} UNION ALL ${byLedger('credits', 'entry_id')}`,
    },
  ],
  ['insurance', { kind: 'plan_term', own: byLedger('ledger_protection_plans') }],
  ['insurance', { kind: 'private_policy', own: byLedger('private_policies') }],
  ['documents', { kind: 'document', own: byLedger('esign_documents') }],
  ['gatewayTokens', { kind: 'payment_method', own: byTenant('payment_methods') }],
];

/**
 * The kinds that other files refer to, but for charges, of which there are too many: late fees look
 * theirs up themselves.
 */
const referred = [
  'discount_plan',
  'protection_plan',
  'tenant',
  'ledger',
  'payment_method',
] as const;

/**
 * Finds the rows of the database that staged rows stand for: by the operator's id, else by our own,
 * which an export gives to what was made here. Makes `known_facilities` (code, id, whether it is
 * new) and `known_ids` (kind, facility, id, row_id), in which the files' references are looked up.
 */
export async function identify(db: Database, corporationId: string | null): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE known_facilities (facility text PRIMARY KEY, id uuid NOT NULL, is_new boolean NOT NULL)`.execute(
    db,
  );
  await sql`
    INSERT INTO known_facilities SELECT location_code, id, false FROM facilities
    WHERE corporation_id = ${corporationId}::uuid`.execute(db);
  await sql`
    INSERT INTO known_facilities SELECT facility, row_id, true FROM ${staged('facilities')}
    ON CONFLICT DO NOTHING`.execute(db);
  await sql`
    UPDATE ${staged('facilities')} s SET row_id = f.id, is_new = f.is_new FROM known_facilities f
    WHERE f.facility = s.facility AND NOT f.is_new`.execute(db);
  await nameUnits(db);
  await sql`
    UPDATE ${staged('units')} s SET row_id = u.id, is_new = false
    FROM units u JOIN known_facilities f ON f.id = u.facility_id
    WHERE f.facility = s.facility AND u.name = s.unit`.execute(db);
  for (const [file, identity] of identities) await findAgain(db, file, identity);
  await learnIds(db);
  await findByLedger(db);
  await findFurtherVehicles(db);
}

/** A unit is named as it is here, else as the files have it first: A1 and a1 are one. */
async function nameUnits(db: Database): Promise<void> {
  for (const file of ['units', 'ledgers'] as const)
    await sql`
      UPDATE ${staged(file)} s SET unit = known.name FROM (
        SELECT DISTINCT ON (facility, lower(name)) facility, name FROM (
          SELECT f.facility, u.name, 0 AS line FROM units u JOIN known_facilities f ON f.id = u.facility_id
          UNION ALL SELECT facility, unit, line FROM ${staged('units')}
        ) every ORDER BY facility, lower(name), line
      ) known
      WHERE known.facility = s.facility AND lower(known.name) = lower(s.unit) AND known.name <> s.unit`.execute(
      db,
    );
}

async function findAgain(db: Database, file: FileName, { kind, own }: Identity): Promise<void> {
  const key = sql.ref(`s.${importFiles[file].key[0]!}`);
  const isOfKind =
    file === 'insurance' ? sql`s.kind = ${kind === 'plan_term' ? 'plan' : 'private'}` : sql`true`;
  await sql`
    UPDATE ${staged(file)} s SET row_id = x.row_id, is_new = false
    FROM external_ids x JOIN known_facilities f ON f.id = x.facility_id
    WHERE x.kind = ${kind} AND f.facility = s.facility AND x.external_id = ${key} AND ${isOfKind}`.execute(
    db,
  );
  if (!(await hasOwnIds(db, file, key))) return;
  await sql`
    UPDATE ${staged(file)} s SET row_id = o.id, is_new = false
    FROM (${own}) o JOIN known_facilities f ON f.id = o.facility_id
    WHERE s.is_new AND f.facility = s.facility AND o.id::text = lower(${key}) AND ${isOfKind}`.execute(
    db,
  );
}

/** The tables of a whole operator are read for them: not where none of the ids is of our form. */
async function hasOwnIds(db: Database, file: FileName, key: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ${staged(file)} s WHERE s.is_new AND ${key} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

async function learnIds(db: Database): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE known_ids (kind text, facility text, id text, row_id uuid NOT NULL,
      PRIMARY KEY (kind, facility, id))`.execute(db);
  for (const [file, { kind }] of identities)
    if ((referred as readonly string[]).includes(kind))
      await sql`
        INSERT INTO known_ids SELECT ${kind}::text, facility, ${sql.ref(importFiles[file].key[0]!)}, row_id
        FROM ${staged(file)} ON CONFLICT DO NOTHING`.execute(db);
  await sql`
    INSERT INTO known_ids SELECT 'unit', facility, unit, row_id FROM ${staged('units')}
    ON CONFLICT DO NOTHING`.execute(db);
  // What the database has and the files do not name: a later import may bring a part only.
  await sql`
    INSERT INTO known_ids SELECT x.kind, f.facility, x.external_id, x.row_id
    FROM external_ids x JOIN known_facilities f ON f.id = x.facility_id
    WHERE x.kind = ANY(${[...referred]}::text[]) ON CONFLICT DO NOTHING`.execute(db);
  await sql`
    INSERT INTO known_ids SELECT 'unit', f.facility, u.name, u.id
    FROM units u JOIN known_facilities f ON f.id = u.facility_id ON CONFLICT DO NOTHING`.execute(
    db,
  );
  for (const [, { kind, own }] of identities)
    if ((referred as readonly string[]).includes(kind))
      await sql`
        INSERT INTO known_ids SELECT ${kind}::text, f.facility, o.id::text, o.id
        FROM (${own}) o JOIN known_facilities f ON f.id = o.facility_id
        WHERE NOT EXISTS (SELECT FROM external_ids x WHERE x.row_id = o.id) ON CONFLICT DO NOTHING`.execute(
        db,
      );
  await sql`ANALYZE known_ids, known_facilities`.execute(db);
}

/** A further vehicle of a rental is found again by what it is. */
async function findFurtherVehicles(db: Database): Promise<void> {
  await sql`
    UPDATE ${staged('furtherVehicles')} s SET row_id = v.id, is_new = false
    FROM known_ids k JOIN further_vehicles v ON v.ledger_id = k.row_id
    WHERE k.kind = 'ledger' AND k.facility = s.facility AND k.id = s.ledger_id AND v.contents = s.contents`.execute(
    db,
  );
}

/** The files with one row a rental, and their tables: a row is its ledger's. */
const ofLedgers: [FileName, string][] = [
  ['unitContents', 'unit_contents'],
  ['vehicles', 'vehicles'],
  ['gateCodes', 'gate_codes'],
  ['autopay', 'autopays'],
];

async function findByLedger(db: Database): Promise<void> {
  for (const [file, table] of ofLedgers)
    await sql`
      UPDATE ${staged(file)} s SET row_id = k.row_id,
        is_new = NOT EXISTS (SELECT FROM ${sql.table(table)} t WHERE t.ledger_id = k.row_id)
      FROM known_ids k WHERE k.kind = 'ledger' AND k.facility = s.facility AND k.id = s.ledger_id`.execute(
      db,
    );
}
