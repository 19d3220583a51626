import { sql } from 'kysely';
import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { statementEmail } from '#emails/statement.ts';
import { queueMail } from '#features/mail/mail.ts';

const BATCH = 200;

/**
 * Makes the statements of a month, `YYYY-MM`, for the tenant records of a facility that had an entry in it or owed
 * something at its beginning, and queues a mail with each. One a tenant and month however often it runs. Answers how many
 * it made. It walks through the tenants in batches, each in a transaction of its own.
 */
export async function makeStatements(ctx: Context, facilityId: string, month: string): Promise<number> {
  let made = 0;
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null;) {
    const batch = await ctx.db
      .transaction()
      .execute((trx) => makeBatch(ctx, trx, { facilityId, month, after: after! }));
    made += batch.made;
    after = batch.last;
  }
  return made;
}

async function makeBatch(
  ctx: Context,
  trx: DatabaseTransaction,
  { facilityId, month, after }: { facilityId: string; month: string; after: string },
): Promise<{ made: number; last: string | null }> {
  const { rows: tenants } = await sql<{ id: string }>`
    SELECT id FROM tenants WHERE facility_id = ${facilityId} AND id > ${after} ORDER BY id LIMIT ${BATCH}`.execute(trx);
  if (tenants.length === 0) return { made: 0, last: null };
  const { rows: made } = await sql<{ id: string; number: string; to: string; firstName: string; facilityName: string }>`
    WITH due AS (
      SELECT l.tenant_id FROM ledgers l
      JOIN entries e ON e.ledger_id = l.id AND e.posted_on < (${`${month}-01`}::date + interval '1 month')::date
      WHERE l.tenant_id = ANY(${tenants.map(({ id }) => id)}::uuid[])
      GROUP BY l.tenant_id, l.id
      HAVING max(e.posted_on) >= ${`${month}-01`}::date OR sum(e.amount_cents) <> 0
    ), made AS (
      INSERT INTO statements (tenant_id, month, created_at)
      SELECT DISTINCT tenant_id, ${month}, ${ctx.clock.now()}::timestamptz FROM due ORDER BY tenant_id
      ON CONFLICT (tenant_id, month) DO NOTHING
      RETURNING id, number, tenant_id
    )
    SELECT made.id, made.number, t.email AS to, t.first_name AS "firstName", f.name AS "facilityName"
    FROM made JOIN tenants t ON t.id = made.tenant_id JOIN facilities f ON f.id = t.facility_id
    ORDER BY made.number`.execute(trx);
  for (const { id, to, ...facts } of made)
    await queueMail(ctx, trx, { to, email: statementEmail({ ...facts, month }), paper: { kind: 'statement', id } });
  return { made: made.length, last: tenants.at(-1)!.id };
}
