import type { AuditedRequest } from '#context/audit.ts';
import type { Checked } from '#http/staff-guard.ts';

/** The member of staff who ordered a job, as it is stored until the job has ended. */
export type OrderedBy = { name: string; request: AuditedRequest; member: StoredMember };
type StoredMember = Omit<Checked, 'tokenHash'> & { tokenHash: string };

export function storedMember({ staffId, role, facilities, tokenHash }: Checked): StoredMember {
  const ids = facilities.map(({ id }) => ({ id }));
  return { staffId, role, facilities: ids, tokenHash: tokenHash.toString('hex') };
}

/** What the job checks again of the member before it commits. */
export function checkedOf({ tokenHash, ...member }: StoredMember): Checked {
  return { ...member, tokenHash: Buffer.from(tokenHash, 'hex') };
}
