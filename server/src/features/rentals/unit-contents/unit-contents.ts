import { calendarDateIn } from '@gatehouse/contract/dates';
import { joinContents, parseContents } from '@gatehouse/contract/unit-contents';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { anyOf } from '#db/any-of.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import type { Caller } from '#http/guard.ts';
import { notFound } from '#errors/refusal.ts';

/**
 * What is stored in the rentals of the tenant records, of ended ones too, or in that of one ledger;
 * a rental whose contents were never entered has no row.
 */
export async function findContents(
  db: Database,
  tenantIds: string[],
  ledgerId: string | null = null,
): Promise<{ ledgerId: string; contents: string }[]> {
  const isAsked = ledgerId === null ? sql`true` : sql`l.id = ${ledgerId}`;
  const { rows } = await sql<{ ledgerId: string; contents: string }>`
    SELECT c.ledger_id AS "ledgerId", c.contents
    FROM unit_contents c JOIN ledgers l ON l.id = c.ledger_id
    WHERE l.tenant_id = ${anyOf(tenantIds)} AND ${isAsked}`.execute(db);
  return rows;
}

/**
 * Sets the contents of a current rental and returns the stored value. The contents determine the
 * tax, so every change is recorded with its user and time. Refuses with 404 a ledger that is not
 * the caller's, and with 429 too many changes of one within an hour.
 */
export async function setContents(
  ctx: Context,
  { tenantIds, timeZone, userId }: Caller,
  ledgerId: string,
  given: string,
): Promise<string> {
  const contents = tidy(given);
  const today = calendarDateIn(timeZone, ctx.clock.now());
  await ctx.db
    .transaction()
    .execute((trx) => writeContents(ctx, trx, { ledgerId, tenantIds, today, userId }, contents));
  return contents;
}

/** The same in a transaction; `contents` is tidy. */
export async function writeContents(
  ctx: Context,
  trx: DatabaseTransaction,
  rental: { ledgerId: string; tenantIds: string[]; today: string; userId: string },
  contents: string,
): Promise<void> {
  const { ledgerId, tenantIds, today, userId } = rental;
  const { rows } = await sql`
    WITH kept AS (
      INSERT INTO unit_contents (ledger_id, contents)
      SELECT id, ${contents} FROM ledgers
      WHERE id = ${ledgerId} AND tenant_id = ANY(${tenantIds}::uuid[]) AND is_current_on(moved_out_on, ${today}::date)
      ON CONFLICT (ledger_id) DO UPDATE SET contents = excluded.contents
      RETURNING ledger_id
    )
    INSERT INTO unit_contents_changes (ledger_id, user_id, changed_at, contents)
    SELECT ledger_id, ${userId}, ${ctx.clock.now()}, ${contents} FROM kept RETURNING ledger_id`.execute(
    trx,
  );
  if (rows.length === 0) throw notFound();
  // Counted last, so that a refused change is rolled back with its count.
  await countChange(ctx, trx, ledgerId);
}

/** Refuses with 429 where what a rental stores was changed too often within an hour. */
export async function countChange(
  ctx: Context,
  trx: DatabaseTransaction,
  ledgerId: string,
): Promise<void> {
  const key = keyOf(ctx, 'contents', ledgerId);
  await countLimited(
    ctx,
    trx,
    [{ name: 'content-changes-an-hour', key }],
    t(
      'The contents were changed several times within the last hour. Please try again later, or call your facility.',
    ),
  );
}

/** Without spaces around the number. */
export function tidy(given: string): string {
  const contents = parseContents(given);
  if (contents === null) throw new Error('the contract lets no other contents through');
  return joinContents(contents.type, contents.value.trim());
}
