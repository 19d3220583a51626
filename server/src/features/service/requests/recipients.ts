import { emailAddress } from '@gatehouse/contract/text';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { RequestKind } from '#db/tables.ts';
import { Refusal } from '#errors/refusal.ts';

/** The most recipients of a facility. */
const MOST = 50;

const address = emailAddress('The address');

/** A recipient at a facility, and the kind of message; `kind` null is every kind. */
export type Recipient = { kind: RequestKind | null; address: string };

/**
 * The addresses for a kind of message, once each: those set for it or for every kind, else the
 * facility's own. `hasAccount` of one that signs in to the office and reaches the facility.
 */
export async function findRecipients(
  db: Database,
  {
    facilityId,
    facilityEmail,
    kind,
  }: { facilityId: string; facilityEmail: string | null; kind: RequestKind },
): Promise<{ address: string; hasAccount: boolean }[]> {
  const { rows } = await sql<{ address: string; hasAccount: boolean }>`
    WITH named AS (
      SELECT DISTINCT ON (lower(address)) address FROM facility_recipients
      WHERE facility_id = ${facilityId} AND (kind = ${kind} OR kind IS NULL)
      ORDER BY lower(address), address)
    SELECT address, has_office_account(address, ${facilityId}) AS "hasAccount" FROM (
      SELECT address FROM named
      UNION ALL SELECT ${facilityEmail}::text
      WHERE ${facilityEmail}::text IS NOT NULL AND NOT EXISTS (SELECT FROM named)) AS recipients`.execute(
    db,
  );
  return rows;
}

/** The recipients of a facility, those of every kind first. */
export function listRecipients(db: Database, facilityId: string): Promise<Recipient[]> {
  return db
    .selectFrom('facility_recipients')
    .select(['kind', 'address'])
    .where('facility_id', '=', facilityId)
    .orderBy(sql`kind NULLS FIRST`)
    .orderBy('address')
    .execute();
}

/**
 * Adds recipients of a kind, or of every kind. Returns the number of new ones. Refuses with 422 an
 * invalid address or too many recipients, and then adds none.
 */
export async function addRecipients(
  db: Database,
  facilityId: string,
  recipients: Recipient[],
): Promise<number> {
  const kept = recipients.map(({ kind, address: to }) => {
    const read = address.safeParse(to);
    if (!read.success) throw new Refusal(422, `${JSON.stringify(to)} is no mail address.`);
    return { kind, address: read.data };
  });
  const add = (trx: DatabaseTransaction) => insertRecipients(trx, facilityId, kept);
  return db.isTransaction ? add(db as DatabaseTransaction) : db.transaction().execute(add);
}

async function insertRecipients(
  trx: DatabaseTransaction,
  facilityId: string,
  recipients: Recipient[],
): Promise<number> {
  const added = await trx
    .insertInto('facility_recipients')
    .values(
      recipients.map(({ kind, address: to }) => ({
        facility_id: facilityId,
        kind,
        address: to,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  const all = await listRecipients(trx, facilityId);
  if (all.length > MOST) throw new Refusal(422, `A facility has at most ${MOST} recipients.`);
  return added.length;
}

/** Removes recipients of exactly this kind, or of every kind. Returns the number removed. */
export async function removeRecipients(
  db: Database,
  facilityId: string,
  recipients: Recipient[],
): Promise<number> {
  let removed = 0;
  for (const { kind, address: to } of recipients) {
    const { numDeletedRows } = await db
      .deleteFrom('facility_recipients')
      .where('facility_id', '=', facilityId)
      .where((where) => (kind === null ? where('kind', 'is', null) : where('kind', '=', kind)))
      .where(sql<boolean>`lower(address) = lower(${to.normalize().trim()})`)
      .executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
  }
  return removed;
}
