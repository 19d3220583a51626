import type { Context } from '#context/context.ts';
import { keyOf } from '#features/base/limits/limits.ts';
import type { Caller } from '#http/guard.ts';

/**
 * Of the codes that a kept session would be shown, the rentals whose code it may not see: it is
 * not the one that was shown in the session last, and no passkey has confirmed that (decision 65).
 * Notes the others as shown. Any other session sees every code, and nothing is noted.
 */
export async function withholdChanged(
  ctx: Context,
  { tokenHash, kept }: Caller,
  codes: { ledgerId: string; code: string }[],
): Promise<Set<string>> {
  if (kept === null) return new Set();
  const noted = await ctx.db
    .selectFrom('shown_gate_codes')
    .select(['ledger_id', 'digest'])
    .where('token_hash', '=', tokenHash)
    .execute();
  const changed = codes
    .map(({ ledgerId, code }) => ({
      token_hash: tokenHash,
      ledger_id: ledgerId,
      digest: keyOf(ctx, 'shown-gate-code', tokenHash.toString('hex'), ledgerId, code),
    }))
    .filter(
      ({ ledger_id, digest }) =>
        !noted.some((row) => row.ledger_id === ledger_id && row.digest.equals(digest)),
    );
  if (!kept.isConfirmed) return new Set(changed.map(({ ledger_id }) => ledger_id));
  if (changed.length > 0)
    await ctx.db
      .insertInto('shown_gate_codes')
      .values(changed)
      .onConflict((conflict) =>
        conflict
          .columns(['token_hash', 'ledger_id'])
          .doUpdateSet((row) => ({ digest: row.ref('excluded.digest') })),
      )
      .execute();
  return new Set();
}
