import { MOST_PASSKEYS, type Passkey } from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import { Refusal } from '#errors/refusal.ts';

/** The columns of a passkey that its owner sees, of tenants and of staff. */
export const shownColumns = [
  'id',
  'credential_id',
  'name',
  'created_at',
  'last_used_at',
  'is_synced',
] as const;

/** A row as the contract has it. */
export function passkeyOf(row: {
  id: string;
  credential_id: Buffer;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  is_synced: boolean;
}): Passkey {
  return {
    id: row.id,
    credentialId: row.credential_id.toString('base64url'),
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    isSynced: row.is_synced,
  };
}

export function notMade(): Refusal {
  return new Refusal(422, t('The passkey could not be verified. Please try again.'));
}

export function knownPasskey(): Refusal {
  return new Refusal(422, t('This passkey was added before.'));
}

export function tooManyPasskeys(): Refusal {
  return new Refusal(
    422,
    t('You have {most} passkeys. Please remove one that you no longer use.', {
      most: MOST_PASSKEYS,
    }),
  );
}
