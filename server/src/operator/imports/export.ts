import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditKind } from '@gatehouse/contract/office/audit-actions';
import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '#adapters/clock.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { StartFault } from '#errors/start-fault.ts';
import type { Vault } from '#crypto/vault.ts';
import { csvLine } from './cells.ts';
import type { Column } from './columns.ts';
import { columnsAsTheyAre, corporationFile, importFiles, type FileName } from './files.ts';
import { writingFault } from './folder-faults.ts';
import { fileNames } from './staging.ts';

/**
 * What an export is based on, and what it is of; a null facility: all of them. `withSecrets`: what
 * is sealed here, in plain.
 */
export type ExportOrder = {
  db: Database;
  vault: Vault;
  clock: Clock;
  corporationCode: string;
  folder: string;
  facility: string | null;
  withSecrets: boolean;
  onProgress: (of: string, progress: { done: number; total: number }) => void;
};

const AT_ONCE = 2000;
/** A user who may not read a secret may not read these files. */
const FOR_THE_OWNER_ALONE = { folder: 0o700, file: 0o600 };

/**
 * Writes what the database holds as the files that `importFolder` reads, as of one instant, into a
 * folder without any of them. Without secrets it leaves out license numbers, gate codes and saved
 * methods. Answers the rows of each file. Throws a StartFault for a folder that has such a file or
 * cannot be written, and for a facility that there is not.
 */
export async function exportFolder(order: ExportOrder): Promise<Record<string, number>> {
  try {
    return await writeFolder(order);
  } catch (error) {
    throw writingFault(error, order.folder) ?? error;
  }
}

async function writeFolder(order: ExportOrder): Promise<Record<string, number>> {
  const { db, folder, withSecrets, onProgress } = order;
  await mkdir(folder, { recursive: true, mode: FOR_THE_OWNER_ALONE.folder });
  if (withSecrets) await noteSecrets(order);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const facilities = await findFacilities(trx, order);
      const files = await openFiles(folder, withSecrets);
      try {
        const counts: Record<string, number> = {
          [corporationFile.name]: await writeCorporation(trx, order),
        };
        for (const [index, { id }] of facilities.entries()) {
          for (const file of files) {
            const count = await writeRows(trx, order.vault, file, id);
            counts[file.name] = (counts[file.name] ?? 0) + count;
          }
          onProgress('Exporting facilities', { done: index + 1, total: facilities.length });
        }
        return counts;
      } finally {
        for (const { handle } of files) await handle.close();
      }
    });
}

type OpenFile = { file: FileName; name: string; columns: Column[]; handle: FileHandle };

async function openFiles(folder: string, withSecrets: boolean): Promise<OpenFile[]> {
  const files: OpenFile[] = [];
  for (const file of fileNames()) {
    const { name } = importFiles[file];
    const columns = columnsOf(file, withSecrets);
    if (columns === null) continue;
    const handle = await create(folder, name);
    await handle.write(csvLine(columns.map((column) => column.name)));
    files.push({ file, name, columns, handle });
  }
  return files;
}

async function create(folder: string, name: string): Promise<FileHandle> {
  try {
    return await open(join(folder, name), 'wx', FOR_THE_OWNER_ALONE.file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new StartFault(
      `${join(folder, name)} is there already. Give a folder without any of the files.`,
    );
  }
}

/** Null for a file that says nothing without its secrets. */
function columnsOf(file: FileName, withSecrets: boolean): Column[] | null {
  const columns: Column[] = importFiles[file].columns;
  if (withSecrets) return columns;
  // Autopay names saved methods, which are not there then.
  if (
    file === 'autopay' ||
    columns.some(({ sealed, isRequired }) => sealed !== undefined && isRequired)
  )
    return null;
  return columns.filter(
    ({ name, sealed }) => sealed === undefined && name !== 'drivers_license_state',
  );
}

async function findFacilities(
  db: Database,
  { corporationCode, facility }: ExportOrder,
): Promise<{ id: string }[]> {
  const found = await db
    .selectFrom('facilities')
    .innerJoin('corporations', 'corporations.id', 'facilities.corporation_id')
    .select('facilities.id')
    .where('corporations.code', '=', corporationCode)
    .$if(facility !== null, (query) => query.where('location_code', '=', facility!))
    .orderBy('location_code')
    .execute();
  if (found.length > 0) return found;
  throw new StartFault(
    facility === null ? 'There is no facility to export.' : `There is no facility ${facility}.`,
  );
}

/** In the audit trail before they are written: the operator runs commands. */
async function noteSecrets(order: ExportOrder): Promise<void> {
  const kind: AuditKind = 'secrets_exported';
  const noActor = {
    user_id: null,
    tenant_id: null,
    ledger_id: null,
    account: null,
    ip: null,
    device: null,
    staff_id: null,
    request_id: null,
  };
  const rows = (await findFacilities(order.db, order)).map(({ id }) => ({
    at: order.clock.now(),
    kind,
    facility_id: id,
    details: null,
    ...noActor,
  }));
  await order.db.insertInto('audit_events').values(rows).execute();
}

async function writeCorporation(
  trx: DatabaseTransaction,
  { corporationCode, folder }: ExportOrder,
): Promise<number> {
  const { code, name } = await trx
    .selectFrom('corporations')
    .select(['code', 'name'])
    .where('code', '=', corporationCode)
    .executeTakeFirstOrThrow();
  const handle = await create(folder, corporationFile.name);
  try {
    await handle.write(
      csvLine(corporationFile.columns.map((column) => column.name)) + csvLine([code, name]),
    );
  } finally {
    await handle.close();
  }
  return 1;
}

type Cell = string | number | boolean | null;

/** By a cursor: a facility may have more rows than fit into memory. */
async function writeRows(
  trx: DatabaseTransaction,
  vault: Vault,
  { file, columns, handle }: OpenFile,
  facilityId: string,
): Promise<number> {
  // A cursor takes no parameters.
  await sql`DECLARE rows NO SCROLL CURSOR FOR ${queries[file]} WHERE f.id = ${sql.lit(facilityId)}
    ${orders[file] ?? sql``}`.execute(trx);
  let count = 0;
  for (;;) {
    const { rows } = await sql<Record<string, Cell>>`FETCH ${sql.lit(AT_ONCE)} FROM rows`.execute(
      trx,
    );
    if (rows.length === 0) break;
    count += rows.length;
    const lines = rows.map((row) => csvLine(columns.map((column) => cellText(column, row, vault))));
    await handle.write(lines.join(''));
  }
  await sql`CLOSE rows`.execute(trx);
  return count;
}

function cellText(
  { name, kind, sealed }: Column,
  row: Record<string, Cell>,
  vault: Vault,
): string | null {
  const value = row[name] ?? null;
  if (value === null) return null;
  if (sealed !== undefined) return vault.open(sealed, String(row.row_id), String(value));
  switch (kind) {
    case 'money':
    case 'percent':
      return (Number(value) / 100).toFixed(2);
    case 'yesNo':
      return value === true ? 'yes' : 'no';
    default:
      return String(value);
  }
}

/** The operator's id of a row, or ours where it was made here. */
const idOf = (row: string) => sql`coalesce(
  (SELECT x.external_id FROM external_ids x WHERE x.row_id = ${sql.ref(row)}), ${sql.ref(row)}::text)`;
/** The columns of a table that are those of its file. */
function asTheyAre(file: FileName, row = 'o'): RawBuilder<unknown> {
  return sql.join(
    columnsAsTheyAre(file).map(
      ({ name, into }) => sql`${sql.ref(`${row}.${into}`)} AS ${sql.ref(name)}`,
    ),
  );
}
const ofLedger = (from: string) => sql`FROM ${sql.raw(from)}
  JOIN ledgers l ON l.id = o.ledger_id JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id`;

/**
 * Each answers the columns of its file under their names, and `row_id` where a column is sealed;
 * `f` is the facility.
 */
const queries: Record<FileName, RawBuilder<unknown>> = {
  facilities: sql`SELECT f.location_code AS facility, ${asTheyAre('facilities', 'f')} FROM facilities f`,
  discountPlans: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS discount_plan_id, ${asTheyAre('discountPlans')}
    FROM discount_plans o JOIN facilities f ON f.id = o.facility_id`,
  protectionPlans: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS protection_plan_id,
    ${asTheyAre('protectionPlans')} FROM protection_plans o JOIN facilities f ON f.id = o.facility_id`,
  units: sql`SELECT f.location_code AS facility, o.name AS unit, ${asTheyAre('units')}
    FROM units o JOIN facilities f ON f.id = o.facility_id`,
  tenants: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS tenant_id, o.email, ${asTheyAre('tenants')},
    CASE WHEN o.joined_at IS NOT NULL OR EXISTS (SELECT FROM strangers_at_address(o.id))
      THEN is_reached_by_address(o.id) END AS joined,
    o.id AS row_id FROM tenants o JOIN facilities f ON f.id = o.facility_id`,
  ledgers: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS ledger_id, ${idOf('o.tenant_id')} AS tenant_id,
    u.name AS unit, o.moved_in_on, o.moved_out_on, o.rental_rate_cents AS rental_rate, o.paid_through,
    CASE WHEN o.billed_through = coalesce((SELECT max(c.period_end) FROM charges c
      WHERE c.ledger_id = o.id AND c.category = 'rent'), o.paid_through) THEN o.billed_through + 1 END AS next_billing_on,
    o.billing_day, o.balance_cents AS balance, ${idOf('o.discount_plan_id')} AS discount_plan_id,
    o.scheduled_rate_cents AS scheduled_rate, o.scheduled_rate_on, o.gate_schedule_id AS gate_schedule,
    o.is_taxed AS taxed, o.is_on_hold AS on_hold
    FROM ledgers o JOIN units u ON u.id = o.unit_id JOIN tenants t ON t.id = o.tenant_id
    JOIN facilities f ON f.id = t.facility_id`,
  charges: sql`SELECT f.location_code AS facility, ${idOf('o.entry_id')} AS charge_id, ${idOf('o.ledger_id')} AS ledger_id,
    o.category, o.description, o.due_on, o.period_end, o.price_cents AS price, o.discount_cents AS discount,
    o.tax1_cents AS tax1, o.tax2_cents AS tax2, e.posted_on, ${idOf('o.late_for')} AS late_for,
    e.position AS posting_order
    ${ofLedger('charges o')} JOIN entries e ON e.id = o.entry_id`,
  payments: sql`SELECT f.location_code AS facility, ${idOf('o.entry_id')} AS payment_id, ${idOf('o.ledger_id')} AS ledger_id,
    o.kind, e.posted_on AS paid_on, -e.amount_cents AS amount, i.type AS method, ${idOf('o.waived_id')} AS waives,
    o.description, o.receipt_number,
    back.cents AS taken_back, back.on AS taken_back_on, back.reason AS taken_back_reason,
    back.description AS taken_back_description, e.position AS posting_order, back.position AS taken_back_order
    ${ofLedger(`(
      SELECT entry_id, ledger_id, 'payment' AS kind, description, receipt_number, intent_id, NULL::uuid AS waived_id
      FROM payments
      UNION ALL SELECT entry_id, ledger_id, 'credit', description, NULL, NULL, charge_entry_id FROM credits) o`)}
    JOIN entries e ON e.id = o.entry_id
    LEFT JOIN payment_intents i ON i.id = o.intent_id
    CROSS JOIN LATERAL (
      SELECT sum(r.amount_cents)::bigint AS cents, max(r.posted_on) AS on, max(r.position) AS position,
        (array_agg(rev.reason ORDER BY r.position DESC))[1] AS reason,
        (array_agg(rev.description ORDER BY r.position DESC))[1] AS description
      FROM reversals rev JOIN entries r ON r.id = rev.entry_id WHERE rev.payment_entry_id = o.entry_id
    ) back`,
  insurance: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS insurance_id, ${idOf('o.ledger_id')} AS ledger_id,
    o.kind, ${idOf('o.protection_plan_id')} AS protection_plan_id, o.company, o.policy_number, o.coverage_cents AS coverage,
    o.starts_on, o.ends_on
    ${ofLedger(`(
      SELECT id, ledger_id, 'plan' AS kind, protection_plan_id, NULL AS company, NULL AS policy_number,
        NULL::bigint AS coverage_cents, starts_on, ends_on, created_at FROM ledger_protection_plans
      UNION ALL SELECT id, ledger_id, 'private', NULL, company, policy_number, coverage_cents, starts_on, ends_on, created_at
      FROM private_policies WHERE replaced_at IS NULL AND refusal IS NULL) o`)}`,
  unitContents: sql`SELECT f.location_code AS facility, ${idOf('o.ledger_id')} AS ledger_id, ${asTheyAre('unitContents')}
    ${ofLedger('unit_contents o')}`,
  vehicles: sql`SELECT f.location_code AS facility, ${idOf('o.ledger_id')} AS ledger_id, ${asTheyAre('vehicles')}
    ${ofLedger('vehicles o')}`,
  furtherVehicles: sql`SELECT f.location_code AS facility, ${idOf('o.ledger_id')} AS ledger_id,
    o.contents, ${asTheyAre('furtherVehicles')} ${ofLedger('further_vehicles o')}`,
  gateCodes: sql`SELECT f.location_code AS facility, ${idOf('o.ledger_id')} AS ledger_id, ${asTheyAre('gateCodes')},
    o.ledger_id AS row_id ${ofLedger('gate_codes o')}`,
  documents: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS document_id, ${idOf('o.ledger_id')} AS ledger_id,
    ${asTheyAre('documents')}, s.name AS envelope_status
    ${ofLedger('esign_documents o')} JOIN envelope_statuses s ON s.id = o.envelope_status_id`,
  gatewayTokens: sql`SELECT f.location_code AS facility, ${idOf('o.id')} AS payment_method_id,
    ${idOf('o.tenant_id')} AS tenant_id, o.type, c.customer, ${asTheyAre('gatewayTokens')}, o.id AS row_id
    FROM payment_methods o JOIN tenants t ON t.id = o.tenant_id JOIN facilities f ON f.id = t.facility_id
    LEFT JOIN gateway_customers c ON c.tenant_id = o.tenant_id`,
  autopay: sql`SELECT f.location_code AS facility, ${idOf('o.ledger_id')} AS ledger_id,
    ${idOf('o.payment_method_id')} AS payment_method_id, o.active, (m.agreed_at AT TIME ZONE f.time_zone)::date AS agreed_on,
    m.text_version AS consent_version, m.text AS consent_text
    ${ofLedger('autopays o')}
    LEFT JOIN mandates m ON m.id = o.mandate_id AND o.active
      AND NOT EXISTS (SELECT FROM mandate_ends ended WHERE ended.mandate_id = m.id)`,
};

/** As it was posted: an import keeps the order of lines within a day. */
const orders: Partial<Record<FileName, RawBuilder<unknown>>> = {
  units: sql`ORDER BY o.name`,
  ledgers: sql`ORDER BY u.name, o.moved_in_on`,
  charges: sql`ORDER BY e.position`,
  payments: sql`ORDER BY e.position`,
  insurance: sql`ORDER BY o.created_at`,
  furtherVehicles: sql`ORDER BY o.created_at`,
};
