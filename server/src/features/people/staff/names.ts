import { sql } from 'kysely';
import unhomoglyph from 'unhomoglyph';
import type { DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * What a name looks like at a glance: names with the same looks are taken for each other. Without
 * case, accents, spaces and signs, each letter as the one that Unicode says it is confused with
 * (UTS 39, by unhomoglyph), and i, l and 1 as one, which differ by case and font.
 */
export function looksOf(name: string): string {
  const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain(unhomoglyph(plain(name)))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[il1]/g, 'l');
}

/** Locks all changes of accounts of staff: names, roles, active or disabled. */
export const STAFF_LOCK = "SELECT pg_advisory_xact_lock(hashtext('gatehouse staff'))";

/** Takes it, before any row of an account. */
export async function lockStaff(trx: DatabaseTransaction): Promise<void> {
  await sql.raw(STAFF_LOCK).execute(trx);
}

/**
 * Refuses with 409 a name that looks like that of another active member, because acts and mails
 * would be taken for that member's, and with 422 one without a letter or digit. Needs `lockStaff`.
 */
export async function refuseLookalike(
  trx: DatabaseTransaction,
  { staffId, name }: { staffId: string; name: string },
): Promise<void> {
  const others = await trx
    .selectFrom('staff_members')
    .select('name')
    .where('id', '<>', staffId)
    .where('disabled_at', 'is', null)
    .where('corporation_id', '=', (member) =>
      member.selectFrom('staff_members').select('corporation_id').where('id', '=', staffId),
    )
    .execute();
  const looks = looksOf(name);
  if (looks === '') throw new Refusal(422, 'Name must have a letter or digit.');
  if (others.some((other) => other.name !== null && looksOf(other.name) === looks))
    throw new Refusal(
      409,
      `Another member of staff has a name that looks like “${name}”. Add a middle name or what the work is.`,
    );
}
