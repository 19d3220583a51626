import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { PaymentOrder } from '#db/tables.ts';
import { todayAt } from '#db/today.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import type { SealedColumn, Vault } from '#crypto/vault.ts';
import { tenantParts } from '#features/rentals/tenants/tenants.ts';
import {
  emailGiven,
  findMoved,
  keepSaidEmails,
  lockTenants,
  moveRecords,
  noteJoined,
} from './emails.ts';
import { hasEntries, lockLedgers, writeEntries } from './entries.ts';
import type { Faults } from './faults.ts';
import {
  checkGivenCodes,
  findEnding,
  findGivenCodes,
  keepRenewedCodes,
  renewCodesOf,
} from './gate-codes.ts';
import { noMoney, readMoney, sumBalances, type Money } from './money.ts';
import { checkLocked } from './relations.ts';
import { keepSaidTerms, termColumns, termsGiven } from './terms.ts';
import type { FileName } from './files.ts';
import {
  atNoon,
  knownAs,
  named,
  own,
  ownColumns,
  writeRows,
  type Counts,
  type Destination,
  type Place,
  type Target,
} from './rows.ts';
import { staged } from './staging.ts';

/** What was done with a facility's rows, by file, and to its balances. */
export type Applied = { files: Partial<Record<FileName, Counts>>; money: Money };

/**
 * Takes a facility over in the transaction given: what is new is made, what differs and may be
 * changed is changed. What a tenant has changed in the portal stays as the tenant gave it. Adds the
 * faults that only the books show to `faults`: the transaction must not commit then.
 */
export async function applyFacility(
  place: Place & { corporationId: string; vault: Vault; mail: MailContext; isDryRun: boolean },
  faults: Faults,
): Promise<Applied> {
  const { db, facilityId, corporationId, isDryRun } = place;
  const importId = place.by?.importId ?? null;
  const applied: Applied = { files: {}, money: noMoney() };
  const note = (file: FileName, { made, changed }: Counts) => {
    const before = applied.files[file] ?? { made: 0, changed: 0 };
    applied.files[file] = { made: before.made + made, changed: before.changed + changed };
  };
  const write = async (destination: Destination) =>
    note(destination.file, await writeRows(place, destination));

  if ((await lockLedgers(db, place.facility)) > 0) await checkLocked(place, faults);
  if (faults.concern(place.facility)) return applied;
  await write(facilityRows(corporationId));
  for (const plans of planRows(facilityId)) await write(plans);
  await write(unitRows(facilityId, importId));
  await lockTenants(place);
  await keepTenantsOwn(place);
  await sealForRows(place, {
    file: 'tenants',
    column: 'drivers_license_number',
    sealed: 'license',
    table: 'tenants',
    id: 'id',
  });
  const moved = await findMoved(place);
  await write(tenantRows(facilityId, place.now, importId));
  await moveRecords(place, place.mail, moved);
  await noteJoined(place, place.mail, moved);
  await keepSaidEmails(place);
  const ending = await findEnding(place);
  await write(ledgerRows(facilityId, importId));
  await keepSaidTerms(place);
  const { paymentOrder } = await settingsOf(db, facilityId);
  const beforeCents = await sumBalances(db, facilityId);
  if (place.lateFrom !== null) await delayLateness(place);
  const entries = await writeEntries({ ...place, paymentOrder }, faults, isDryRun);
  note('charges', entries.charges);
  note('payments', entries.payments);
  applied.money = await readMoney(place, beforeCents);
  await write(planTermRows());
  await write(privatePolicyRows(place.now));
  await write(ledgerRowsOf('unitContents', 'unit_contents'));
  await write(ledgerRowsOf('vehicles', 'vehicles'));
  await write(furtherVehicleRows(place.now));
  await sealForRows(place, {
    file: 'gateCodes',
    column: 'access_code',
    sealed: 'gateCode',
    table: 'gate_codes',
    id: 'ledger_id',
  });
  await keepRenewedCodes(place, place.mail);
  const givenCodes = await findGivenCodes(place);
  await write(ledgerRowsOf('gateCodes', 'gate_codes'));
  await renewCodesOf(place, place.mail, ending);
  await checkGivenCodes(place, place.mail, givenCodes, faults);
  await write(documentRows);
  await sealForRows(place, {
    file: 'gatewayTokens',
    column: 'gateway_token',
    sealed: 'gatewayToken',
    table: 'payment_methods',
    id: 'id',
  });
  await write(methodRows());
  await keepCustomers(place);
  note('autopay', await setAutopay(place));
  return applied;
}

function facilityRows(corporationId: string): Destination {
  return {
    file: 'facilities',
    table: 'facilities',
    columns: [
      ['corporation_id', sql`${corporationId}::uuid`, null],
      ['location_code', sql`s.facility`, null],
      ...ownColumns('facilities'),
    ],
  };
}

function planRows(facilityId: string): Destination[] {
  const of = inFacility(facilityId);
  return [
    {
      file: 'discountPlans',
      table: 'discount_plans',
      kind: 'discount_plan',
      columns: [of, ...ownColumns('discountPlans')],
    },
    {
      file: 'protectionPlans',
      table: 'protection_plans',
      kind: 'protection_plan',
      columns: [of, ...ownColumns('protectionPlans')],
    },
  ];
}

function inFacility(facilityId: string): Target {
  return ['facility_id', sql`${facilityId}::uuid`, null];
}

/** The import of the office that makes a row; null for the command. */
const madeBy = (importId: string | null): Target => ['import_id', sql`${importId}::uuid`, null];

function unitRows(facilityId: string, importId: string | null): Destination {
  return {
    file: 'units',
    table: 'units',
    columns: [
      inFacility(facilityId),
      madeBy(importId),
      ['name', sql`s.unit`, null],
      ...ownColumns('units'),
    ],
  };
}

function tenantRows(facilityId: string, now: Date, importId: string | null): Destination {
  return {
    file: 'tenants',
    table: 'tenants',
    kind: 'tenant',
    joins: emailGiven,
    columns: [
      inFacility(facilityId),
      madeBy(importId),
      ['email', sql`given.email`, 'email'],
      [
        'joined_at',
        // A yes is for the address of its row. A no is what staff may have changed since.
        sql`coalesce(here.joined_at, CASE WHEN s.joined AND given.email = s.email THEN ${now}::timestamptz END)`,
        'joined',
      ],
      ...ownColumns('tenants'),
    ],
  };
}

function ledgerRows(facilityId: string, importId: string | null): Destination {
  const billedThrough = sql`coalesce(billed.through, s.paid_through)`;
  return {
    file: 'ledgers',
    table: 'ledgers',
    kind: 'ledger',
    joins: sql`${knownAs('t', 'tenant', 'tenant_id')} ${knownAs('u', 'unit', 'unit')}
      ${knownAs('d', 'discount_plan', 'discount_plan_id', true)}
      CROSS JOIN LATERAL (SELECT max(c.period_end) AS through FROM staged_charges c
        WHERE c.facility = s.facility AND c.ledger_id = s.ledger_id AND c.category = 'rent') billed
      CROSS JOIN LATERAL (SELECT ${billedThrough} + 1 AS day) next ${termsGiven}
      JOIN facilities f ON f.id = ${facilityId}::uuid`,
    // What was computed from the terms as they were is not written.
    sets: sql`version = t.version + 1`,
    columns: [
      madeBy(importId),
      ['tenant_id', named('t'), null],
      ['unit_id', named('u'), null],
      ...termColumns,
      ['discount_plan_id', named('d'), 'discount_plan_id'],
      own('gate_schedule_id', 'gate_schedule', '1'),
      ['moved_in_on', sql`s.moved_in_on`, null],
      ['paid_through', sql`s.paid_through`, null],
      ['billed_through', billedThrough, null],
      ['billing_day', billingDay, null],
      [
        'is_taxed',
        sql`coalesce(s.taxed, here.is_taxed, f.rent_tax1_basis_points + f.rent_tax2_basis_points > 0)`,
        'taxed',
      ],
      own('is_on_hold', 'on_hold', 'false'),
    ],
  };
}

/**
 * Without one, that of the next billing; where that is the end of a month that is too short, the
 * move-in's.
 */
const billingDay = sql`coalesce(s.billing_day, extract(day FROM CASE
  WHEN extract(day FROM next.day + 1) = 1 AND extract(day FROM s.moved_in_on) > extract(day FROM next.day)
  THEN s.moved_in_on ELSE next.day END))`;

async function settingsOf(
  db: Database,
  facilityId: string,
): Promise<{ paymentOrder: PaymentOrder }> {
  return db
    .selectFrom('facilities')
    .select('payment_order as paymentOrder')
    .where('id', '=', facilityId)
    .executeTakeFirstOrThrow();
}

/**
 * An end that is here is moved to an earlier day only: a plan that ended is not begun again by an
 * old file.
 */
function planTermRows(): Destination {
  return {
    file: 'insurance',
    table: 'ledger_protection_plans',
    kind: 'plan_term',
    joins: sql`${knownAs('l', 'ledger', 'ledger_id')} ${knownAs('p', 'protection_plan', 'protection_plan_id')}
      LEFT JOIN ledger_protection_plans here ON here.id = s.row_id`,
    where: sql`s.kind = 'plan'`,
    columns: [
      ['ledger_id', named('l'), null],
      ['protection_plan_id', named('p'), 'protection_plan_id'],
      own('starts_on'),
      ['ends_on', sql`least(s.ends_on, here.ends_on)`, 'ends_on'],
    ],
  };
}

/** One that comes next to what the tenant has given in the portal is kept as replaced. */
function privatePolicyRows(now: Date): Destination {
  return {
    file: 'insurance',
    table: 'private_policies',
    kind: 'private_policy',
    joins: knownAs('l', 'ledger', 'ledger_id'),
    where: sql`s.kind = 'private'`,
    columns: [
      ['ledger_id', named('l'), null],
      own('company'),
      own('policy_number'),
      own('coverage_cents', 'coverage'),
      own('starts_on'),
      own('ends_on'),
      [
        'replaced_at',
        sql`(SELECT ${now}::timestamptz FROM private_policies given
          WHERE given.ledger_id = l.row_id AND given.replaced_at IS NULL LIMIT 1)`,
        null,
      ],
    ],
  };
}

/** Of the files with one row a rental. */
const ledgerRowsOf = (
  file: 'unitContents' | 'vehicles' | 'gateCodes',
  table: string,
): Destination => ({ file, table, id: 'ledger_id', columns: ownColumns(file) });

/** One that has become the rental's first stays that. */
const furtherVehicleRows = (now: Date): Destination => ({
  file: 'furtherVehicles',
  table: 'further_vehicles',
  joins: knownAs('l', 'ledger', 'ledger_id'),
  where: sql`NOT EXISTS (
    SELECT FROM unit_contents c WHERE c.ledger_id = l.row_id AND c.contents = s.contents)`,
  columns: [
    ['ledger_id', named('l'), null],
    own('contents'),
    // In the order of the file.
    ['created_at', sql`${now}::timestamptz + s.line * interval '1 microsecond'`, null],
    ...ownColumns('furtherVehicles'),
  ],
});

const documentRows: Destination = {
  file: 'documents',
  table: 'esign_documents',
  kind: 'document',
  joins: sql`${knownAs('l', 'ledger', 'ledger_id')} JOIN envelope_statuses status ON status.name = s.envelope_status`,
  columns: [
    ['ledger_id', named('l'), null],
    ...ownColumns('documents'),
    ['envelope_status_id', sql`status.id`, 'envelope_status'],
  ],
};

function methodRows(): Destination {
  return {
    file: 'gatewayTokens',
    table: 'payment_methods',
    kind: 'payment_method',
    joins: knownAs('t', 'tenant', 'tenant_id'),
    // Of another token the gateway is asked anew; the payments so far were by the one before.
    sets: sql`fingerprint = CASE WHEN t.gateway_token = v.gateway_token THEN t.fingerprint END,
      token_version = t.token_version + CASE WHEN t.gateway_token = v.gateway_token THEN 0 ELSE 1 END`,
    columns: [
      ['tenant_id', named('t'), null],
      ['type', sql`s.type`, null],
      ...ownColumns('gatewayTokens'),
    ],
  };
}

/** What tenants gave in the portal, and said last, goes before what a file says. */
async function keepTenantsOwn({ db, facility }: Place): Promise<void> {
  const { license: _, ...others } = tenantParts;
  for (const [part, { columns }] of Object.entries(others)) {
    const kept = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`t.${column}`)}`);
    await sql`
      UPDATE staged_tenants s SET ${sql.join(kept)} FROM tenants t
      WHERE s.facility = ${facility} AND t.id = s.row_id
        AND EXISTS (SELECT FROM tenant_changes c WHERE c.tenant_id = t.id AND c.part = ${part})`.execute(
      db,
    );
  }
  // An import never removes a license: an empty cell keeps it.
  await sql`
    UPDATE staged_tenants s SET drivers_license_number = NULL, drivers_license_state = t.drivers_license_state
    FROM tenants t WHERE s.facility = ${facility} AND t.id = s.row_id AND t.drivers_license_number IS NOT NULL
      AND (s.drivers_license_number IS NULL
        OR EXISTS (SELECT FROM tenant_changes c WHERE c.tenant_id = t.id AND c.part = 'license'))`.execute(
    db,
  );
  await sql`
    UPDATE staged_unit_contents s SET contents = c.contents FROM unit_contents c
    WHERE s.facility = ${facility} AND c.ledger_id = s.row_id
      AND EXISTS (SELECT FROM unit_contents_changes change WHERE change.ledger_id = c.ledger_id)`.execute(
    db,
  );
}

type SealedFile = {
  file: FileName;
  column: string;
  sealed: SealedColumn;
  table: string;
  id: 'id' | 'ledger_id';
};

const AT_ONCE = 500;

/**
 * Seals the facility's staged secrets for the rows that they go to. What is there already and opens
 * to the same stays as it is; a cell without one takes what is there.
 */
async function sealForRows(
  { db, staging, vault, facility }: Place & { vault: Vault },
  { file, column, sealed, table, id }: SealedFile,
): Promise<void> {
  const staged_ = sql.ref(`s.${column}`);
  for (let after = 0; ;) {
    const { rows } = await sql<{
      line: number;
      rowId: string;
      given: string | null;
      current: string | null;
    }>`
      SELECT s.line, s.row_id AS "rowId", ${staged_} AS given, t.${sql.ref(column)} AS current
      FROM ${staged(file)} s LEFT JOIN ${sql.table(table)} t ON t.${sql.ref(id)} = s.row_id
      WHERE s.facility = ${facility} AND s.line > ${after} AND (${staged_} IS NOT NULL OR t.${sql.ref(column)} IS NOT NULL)
      ORDER BY s.line LIMIT ${AT_ONCE}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.line;
    const values = rows.map(({ rowId, given, current }) => {
      if (given === null) return current;
      const text = vault.open(sealed, staging.sealId, given);
      return current !== null && vault.open(sealed, rowId, current) === text
        ? current
        : vault.seal(sealed, rowId, text);
    });
    await sql`
      UPDATE ${staged(file)} s SET ${sql.ref(column)} = v.value
      FROM unnest(${rows.map(({ line }) => line)}::integer[], ${values}::text[]) AS v (line, value)
      WHERE s.facility = ${facility} AND s.line = v.line`.execute(db);
  }
}

/** The tenant's number at the gateway, where the files know it and none is known here. */
async function keepCustomers({ db, facility, now }: Place): Promise<void> {
  await sql`
    INSERT INTO gateway_customers (tenant_id, customer, created_at)
    SELECT DISTINCT t.row_id, s.customer, ${now}::timestamptz
    FROM staged_gateway_tokens s ${knownAs('t', 'tenant', 'tenant_id')}
    WHERE s.facility = ${facility} AND s.customer IS NOT NULL
    ON CONFLICT (tenant_id) DO NOTHING`.execute(db);
}

/** Of rentals that the files bring or post to: they are not treated as late before the day. */
async function delayLateness({ db, facility, lateFrom }: Place): Promise<void> {
  await sql`
    UPDATE ledgers l SET late_from = ${lateFrom}::date FROM known_ids k
    WHERE k.kind = 'ledger' AND k.facility = ${facility} AND l.id = k.row_id AND (${hasEntries}
      OR EXISTS (SELECT FROM staged_ledgers s WHERE s.row_id = l.id AND s.is_new))`.execute(db);
}

/**
 * Autopay of rentals that have none yet: afterwards it is the tenant's to change. Without the words
 * that the tenant agreed to it charges nothing. What is owed already is not charged on the next
 * morning, because the system that billed it may have tried: it goes with the next bill.
 */
async function setAutopay({ db, facility, facilityId, now }: Place): Promise<Counts> {
  const noon = atNoon('s.agreed_on', now);
  const from: RawBuilder<unknown> = sql`
    FROM staged_autopay s ${knownAs('m', 'payment_method', 'payment_method_id')}
    JOIN facilities f ON f.id = ${facilityId} WHERE s.facility = ${facility} AND s.is_new`;
  await sql`
    INSERT INTO mandates (id, ledger_id, payment_method_id, text_version, text, text_hash, agreed_at)
    SELECT s.mandate_id, s.row_id, m.row_id, coalesce(s.consent_version, 'imported'), s.consent_text,
      sha256(convert_to(s.consent_text, 'UTF8')), ${noon} ${from} AND s.consent_text IS NOT NULL`.execute(
    db,
  );
  const made = await sql`
    INSERT INTO autopays (ledger_id, payment_method_id, active, updated_at, mandate_id)
    SELECT s.row_id, m.row_id, coalesce(s.active, true), ${now}::timestamptz,
      CASE WHEN s.consent_text IS NOT NULL THEN s.mandate_id END ${from}`.execute(db);
  await sql`
    INSERT INTO autopay_items (ledger_id, due_on, state, note, created_at, updated_at)
    SELECT s.row_id, max(b.due_on), 'skipped', 'It was billed before the import.', ${now}::timestamptz, ${now}::timestamptz
    FROM staged_autopay s JOIN billed_periods b ON b.ledger_id = s.row_id JOIN facilities f ON f.id = ${facilityId}
    WHERE s.facility = ${facility} AND s.is_new AND b.due_on <= ${todayAt(now)}
    GROUP BY s.row_id ON CONFLICT DO NOTHING`.execute(db);
  return { made: Number(made.numAffectedRows ?? 0), changed: 0 };
}
