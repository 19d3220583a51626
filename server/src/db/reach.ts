import type { Refusal } from '#errors/refusal.ts';

/**
 * The rows that statements may see and write: those of one signed-in user at one facility; for
 * reading, those of the facilities of a member of staff; or null for every row, for jobs and for
 * requests before the caller is known. `ledgerIds` are all ledgers of the tenants, ended ones too.
 * `isAll` is for a member of all facilities of the database.
 */
export type Reach = TenantReach | StaffReach | null;
export type TenantReach = { userId: string; tenantIds: string[]; ledgerIds: string[] };
export type StaffReach = { staffId: string; facilityIds: string[]; isAll: boolean };

/**
 * Checks again, under the lock that revoking takes, what the guard of a request has found: as the
 * last statement of each transaction that writes, or with `isFirst` as the first one. The statement
 * fails with the code `GH` and the status of the guard's refusal, which `refusalOf` makes.
 */
export type Recheck = {
  statement: (isFirst: boolean) => Statement;
  refusalOf: (status: RecheckStatus) => Refusal;
};
export type RecheckStatus = 401 | 403 | 404;

/** The role of a tenant's requests, limited by row-level security; it owns nothing. */
export const APP_ROLE = 'gatehouse_app';
/**
 * The role of everything else in the server: it has the app role's rights and a few more, sees
 * every row, and owns nothing.
 */
export const WORK_ROLE = 'gatehouse_work';
/** The role of what staff read in the office, limited to their facilities; it writes nothing. */
export const OFFICE_ROLE = 'gatehouse_office';

/**
 * Sets role and reach until the end of the transaction. Answers one column, whatever it sets: each
 * costs time to describe and to read.
 */
export function reachStatement(reach: NonNullable<Reach>): Statement {
  if ('staffId' in reach) {
    const { facilityIds, isAll } = reach;
    return {
      name: 'gatehouse_reach_of_staff',
      text: `SELECT set_config('role', $1, true) || set_config('app.facility_ids', $2, true) ||
        set_config('app.is_all', $3, true)`,
      values: [OFFICE_ROLE, listed(facilityIds), String(isAll)],
    };
  }
  const { userId, tenantIds, ledgerIds } = reach;
  return {
    name: 'gatehouse_reach',
    text: `SELECT set_config('role', $1, true) || set_config('app.user_id', $2, true) ||
      set_config('app.tenant_ids', $3, true) || set_config('app.ledger_ids', $4, true)`,
    values: [APP_ROLE, userId, listed(tenantIds), listed(ledgerIds)],
  };
}

/** A statement as the driver takes it, which prepares one that has a name. */
export type Statement = { name?: string; text: string; values?: unknown[] };

/** The text of an array in PostgreSQL. */
function listed(ids: string[]): string {
  return `{${ids.join()}}`;
}
