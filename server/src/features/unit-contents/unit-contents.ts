import { calendarDateIn } from '@gatehouse/contract/dates';
import { joinContents, parseContents } from '@gatehouse/contract/unit-contents';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import type { Caller } from '#http/guard.ts';
import { notFound } from '#refusal.ts';

/**
 * Sets the contents of a current rental and returns the stored value. The contents determine the
 * tax, so every change is recorded with its user and time (domain.md section 5).
 */
export async function setContents(
  { db, clock }: Context,
  { tenantIds, timeZone, userId }: Caller,
  ledgerId: string,
  given: string,
): Promise<string> {
  const contents = tidy(given);
  const today = calendarDateIn(timeZone, clock.now());
  const { rows } = await sql`
    WITH kept AS (
      INSERT INTO unit_contents (ledger_id, contents)
      SELECT id, ${contents} FROM ledgers
      WHERE id = ${ledgerId} AND tenant_id = ANY(${tenantIds}::uuid[]) AND is_current_on(moved_out_on, ${today}::date)
      ON CONFLICT (ledger_id) DO UPDATE SET contents = excluded.contents
      RETURNING ledger_id
    )
    INSERT INTO unit_contents_changes (ledger_id, user_id, changed_at, contents)
    SELECT ledger_id, ${userId}, ${clock.now()}, ${contents} FROM kept RETURNING ledger_id`.execute(db);
  if (rows.length === 0) throw notFound();
  return contents;
}

/** Without spaces around the number. */
function tidy(given: string): string {
  const contents = parseContents(given);
  if (contents === null) throw new Error('the contract lets no other contents through');
  return joinContents(contents.type, contents.value.trim());
}
