import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { StaffMessage } from '#emails/staff/staff-message.ts';

/**
 * The requester: the tenant record, its facility, and the rental concerned; null where the request
 * concerns the record.
 */
export type Requester = Omit<StaffMessage, 'reference'> & {
  facilityId: string;
  facilityEmail: string | null;
  tenantId: string;
  ledgerId: string | null;
  /** The first day after the rental; null while no move-out is planned, and for a record. */
  movedOutOn: string | null;
};

type Row = {
  facilityId: string;
  facilityName: string;
  facilityEmail: string | null;
  tenantId: string;
  name: string;
  phone: string | null;
  email: string;
  ledgerId: string | null;
  unitNames: string[];
  movedOutOn: string | null;
};

/** The requester of each of the rentals that belong to one of the tenant records. */
export async function findRequesters(
  db: Database,
  tenantIds: string[],
  ledgerIds: string[],
): Promise<Requester[]> {
  const { rows } = await sql<Row>`
    SELECT f.id AS "facilityId", f.name AS "facilityName", f.email AS "facilityEmail", t.id AS "tenantId",
      t.name, t.phone, t.email, l.id AS "ledgerId",
      ARRAY[u.name] AS "unitNames", l.moved_out_on AS "movedOutOn"
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    WHERE l.id = ANY(${ledgerIds}::uuid[]) AND l.tenant_id = ANY(${tenantIds}::uuid[])
    ORDER BY u.name`.execute(db);
  return rows.map(requesterOf);
}

/**
 * The requester of a rental of the tenant records. Throws for another's rental, since the guard has
 * checked it.
 */
export async function getRequester(
  db: Database,
  tenantIds: string[],
  ledgerId: string,
): Promise<Requester> {
  const [requester] = await findRequesters(db, tenantIds, [ledgerId]);
  if (requester === undefined) throw new Error(`the ledger ${ledgerId} is not the caller's`);
  return requester;
}

/**
 * The tenant record itself as the requester, with the names of all units that it rents on the
 * facility's `today`.
 */
export async function getTenantRequester(
  db: Database,
  tenantId: string,
  today: string,
): Promise<Requester> {
  const { rows } = await sql<Row>`
    SELECT f.id AS "facilityId", f.name AS "facilityName", f.email AS "facilityEmail", t.id AS "tenantId",
      t.name, t.phone, t.email, NULL AS "ledgerId",
      ARRAY(SELECT u.name FROM ledgers l JOIN units u ON u.id = l.unit_id
        WHERE l.tenant_id = t.id AND is_current_on(l.moved_out_on, ${today}::date) ORDER BY u.name) AS "unitNames",
      NULL AS "movedOutOn"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.id = ${tenantId}`.execute(db);
  return requesterOf(rows[0]!);
}

function requesterOf({ name, phone, email, ...row }: Row): Requester {
  return { ...row, tenant: { name, phone, email } };
}
