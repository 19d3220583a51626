/**
 * Where the gate pass is that a tenant keeps on this phone (features/gate-access/pass-store.ts).
 * Here, because a logout, a new password and the sign-in of another account take it away.
 */

/**
 * The database and its store: a sealed pass by the id of its tenant record, and next to them, by
 * names that are no ids, what opens them.
 */
export const PASS_PLACE = ['gatehouse-pass', 'passes'] as const;

/** Deletes every pass and the key that seals them. */
export function forgetPass(): void {
  try {
    indexedDB.deleteDatabase(PASS_PLACE[0]);
  } catch {
    // Where storage is blocked there is none.
  }
}
