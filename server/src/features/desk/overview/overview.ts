import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { getOverview } from '@gatehouse/contract/overview';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { findAutopays } from '#features/money/autopay/autopay.ts';
import { autopayView } from '#features/money/autopay/view.ts';
import { listDocuments } from '#features/service/esign/documents.ts';
import { getFacility } from '#features/base/facilities/facilities.ts';
import { showGateAccess } from '#features/service/gate-access/gate-access.ts';
import { insuranceStatuses } from '#features/service/insurance/statuses.ts';
import { findLedgers } from '#features/base/ledgers/ledgers.ts';
import { ledgerView } from '#features/base/ledgers/view.ts';
import { getTenant } from '#features/rentals/tenants/tenants.ts';
import { tenantView } from '#features/rentals/tenants/view.ts';
import { findContents } from '#features/rentals/unit-contents/unit-contents.ts';
import type { Caller } from '#http/guard.ts';

export type Overview = Reply<typeof getOverview>;

/**
 * What My Units shows of one of the caller's tenant records, read on one connection. A part that
 * fails is logged and left out. So are the documents of a remote signing service, which the rest
 * must not wait for.
 */
export function readOverview(
  ctx: Context,
  caller: Caller,
  tenantId: string,
  request: AuditedRequest,
): Promise<Overview> {
  const { facilityId, timeZone } = caller;
  const today = calendarDateIn(timeZone, ctx.clock.now());
  return ctx.db.connection().execute(async (db) => {
    const own = { ...ctx, db };
    const part = async <Part>(name: keyof Overview, read: Promise<Part>) => {
      try {
        return { [name]: await read };
      } catch (err) {
        // The feature has logged why it refused.
        if (!(err instanceof Refusal))
          ctx.log.error({ err }, `the part ${name} of the overview could not be read`);
        return {};
      }
    };
    const readTenant = async (id: string) => tenantView(ctx.vault, await getTenant(db, id));
    const readLedgers = async (ids: string[]) =>
      (await findLedgers(db, ids, today)).map((row) => ledgerView(row, today));
    const others = caller.tenantIds.filter((id) => id !== tenantId);
    const readOthers = async () => {
      const [tenants, ledgers] = await Promise.all([
        Promise.all(others.map(readTenant)),
        readLedgers(others),
      ]);
      return { tenants, ledgers };
    };
    const parts = await Promise.all([
      part('facility', getFacility(own, facilityId)),
      part('tenant', readTenant(tenantId)),
      part('ledgers', readLedgers([tenantId])),
      part('gateAccess', showGateAccess(own, { ...caller, tenantIds: [tenantId] }, request)),
      part(
        'autopays',
        findAutopays(own, tenantId, timeZone).then((rows) => rows.map(autopayView)),
      ),
      ctx.esign.isRemote ? {} : part('files', listDocuments(own, tenantId, today)),
      part('insuranceStatuses', insuranceStatuses(own, timeZone, [tenantId])),
      part('unitContents', findContents(db, [tenantId])),
      others.length === 0 ? {} : part('others', readOthers()),
    ]);
    return Object.assign({}, ...parts) as Overview;
  });
}
