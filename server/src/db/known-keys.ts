import type { Config } from '#config/config.ts';
import { keyId } from '#crypto/vault.ts';
import type { Database } from './database.ts';

/** The id of a key, and when a server first used it. */
export type KnownKey = { kind: 'data' | 'secret'; keyId: string; since: Date };

/** The keys of these settings, first the one that seals. */
export function keysOf({
  dataKeys,
  secret,
}: Pick<Config, 'dataKeys' | 'secret'>): Omit<KnownKey, 'since'>[] {
  return [
    ...dataKeys.map((key) => ({ kind: 'data' as const, keyId: keyId(key) })),
    { kind: 'secret' as const, keyId: keyId(secret, 'secret') },
  ];
}

/** Records when each key was first given to a server, for its age. */
export async function noteKeys(
  owner: Database,
  config: Pick<Config, 'dataKeys' | 'secret'>,
): Promise<void> {
  await owner
    .insertInto('known_keys')
    .values(keysOf(config).map(({ kind, keyId: key_id }) => ({ kind, key_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
