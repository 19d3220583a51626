import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { statementEmail } from '#emails/statement.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { endOf, isLine } from '#features/base/papers/statement-data.ts';

/** Few: their ledgers are locked, and payments wait, until the batch is committed. */
const BATCH = 50;

/**
 * Issues the statements of a month, `YYYY-MM`, for the tenant records of a facility that had an
 * entry in it, or one of an earlier month that was recorded after the statement before, or owed
 * something at its beginning, and queues a mail with each. One a tenant and month however often it
 * runs. Answers how many it made. It walks through the tenants in batches, each in a separate
 * transaction.
 */
export async function makeStatements(
  ctx: Context,
  facilityId: string,
  month: string,
): Promise<number> {
  let made = 0;
  const batches = batchesById(
    (after) => findTenants(ctx.db, facilityId, after),
    (id) => id,
  );
  for await (const tenantIds of batches)
    made += await ctx.db.transaction().execute((trx) => makeBatch(ctx, trx, { tenantIds, month }));
  return made;
}

async function findTenants(db: Database, facilityId: string, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM tenants WHERE facility_id = ${facilityId} AND id > ${after} ORDER BY id LIMIT ${BATCH}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

async function makeBatch(
  ctx: Context,
  trx: DatabaseTransaction,
  { tenantIds, month }: { tenantIds: string[]; month: string },
): Promise<number> {
  // A posting locks the ledger first: what has a position by now is committed, and what comes has a
  // later one.
  await sql`SELECT FROM ledgers WHERE tenant_id = ANY(${tenantIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(
    trx,
  );
  const made = await issueStatements(trx, { tenantIds, month, at: ctx.clock.now() });
  for (const { id, to, tenantId, ...facts } of made)
    await queueMail(ctx, trx, {
      to,
      kind: 'legal',
      tenantId,
      email: () => statementEmail({ ...facts, period: { month, firstOn: null, lastOn: null } }),
      paper: { kind: 'statement', id },
    });
  return made.length;
}

type Issued = {
  id: string;
  number: string;
  tenantId: string;
  to: string;
  firstName: string;
  facilityName: string;
};

/**
 * Issues the statements of a month for those of the tenant records that are due one (see
 * `makeStatements`), and mails nothing. Their ledgers are locked by the caller.
 */
export async function issueStatements(
  trx: DatabaseTransaction,
  { tenantIds, month, at }: { tenantIds: string[]; month: string; at: Date },
): Promise<Issued[]> {
  const { rows } = await sql<Issued>`
    WITH tenant AS (
      SELECT t.id, before.id AS follows, coalesce(has.ledger_ids, '{}') AS ledger_ids, coalesce(has.through, 0) AS through
      FROM unnest(${tenantIds}::uuid[]) AS t (id)
      LEFT JOIN LATERAL (
        SELECT id FROM statements WHERE tenant_id = t.id AND month < ${month} ORDER BY month DESC LIMIT 1
      ) before ON true
      CROSS JOIN LATERAL (
        SELECT array_agg(l.id) AS ledger_ids, max(last.position) AS through FROM ledgers l
        CROSS JOIN LATERAL (SELECT max(e.position) AS position FROM entries e WHERE e.ledger_id = l.id) last
        WHERE l.tenant_id = t.id
      ) has
    ), due AS (
      SELECT l.tenant_id FROM tenant
      JOIN ledgers l ON l.tenant_id = tenant.id
      LEFT JOIN statements before ON before.id = tenant.follows
      CROSS JOIN (SELECT ${`${month}-01`}::date AS first, ${endOf(sql`${month}::text`)} AS next) m
      JOIN entries e ON e.ledger_id = l.id AND e.posted_on < m.next
      GROUP BY l.tenant_id, l.id
      HAVING bool_or(${isLine}) OR sum(e.amount_cents) <> 0
    ), made AS (
      INSERT INTO statements (tenant_id, month, created_at, follows, ledger_ids, entries_through)
      SELECT id, ${month}, ${at}::timestamptz, follows, ledger_ids, through FROM tenant
      WHERE id IN (SELECT tenant_id FROM due) ORDER BY id
      ON CONFLICT (tenant_id, month) DO NOTHING
      RETURNING id, number, tenant_id
    )
    SELECT made.id, made.number, made.tenant_id AS "tenantId", t.email AS to, t.first_name AS "firstName", f.name AS "facilityName"
    FROM made JOIN tenants t ON t.id = made.tenant_id JOIN facilities f ON f.id = t.facility_id
    ORDER BY made.number`.execute(trx);
  return rows;
}
