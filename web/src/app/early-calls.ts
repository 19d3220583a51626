import { listAutopays } from '@gatehouse/contract/autopay';
import { type Args, pathOf } from '@gatehouse/contract/endpoint';
import { listFiles } from '@gatehouse/contract/esign';
import { getFacility, listLocations } from '@gatehouse/contract/facilities';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { getTenant } from '@gatehouse/contract/tenants';
import { type AnyArgs, type AnyEndpoint, CORPORATION_CODE } from '#api/call.ts';

/** Whose page it is, and the URLs of its first reads with `:locationCode`, `:currentTenant` and `:allTenants` to fill in. */
export type PagePlan = { side: 'visitor' | 'tenant'; calls: string[] };

const facility = { corp: CORPORATION_CODE, locationCode: ':locationCode' };
const tenantId = ':currentTenant';

const facilityOfSession = read(getFacility, { params: facility });
const currentLedgers = read(listLedgers, { params: { ...facility, tenantIds: tenantId } });
const autopays = read(listAutopays, { params: { ...facility, tenantId } });
const files = read(listFiles, { params: { ...facility, tenantId } });
const tenant = read(getTenant, { params: { ...facility, tenantId } });

/**
 * What a screen reads first and can be asked before any of its code is here: a session is enough for it. The HTML's
 * own script sends these (before-paint.ts). In the order in which the screen shows them.
 */
export const earlyCalls: Record<string, string[]> = {
  '/login': [read(listLocations, { params: { corp: CORPORATION_CODE } })],
  '/': [currentLedgers, facilityOfSession, autopays, files, tenant],
  '/billing-info': [currentLedgers, facilityOfSession, autopays],
  '/payment-history': [read(listLedgers, { params: { ...facility, tenantIds: ':allTenants' } }), facilityOfSession],
};

function read<E extends AnyEndpoint>(endpoint: E, args: Args<E>): string {
  // What is to be filled in comes back escaped.
  return `/api${pathOf(endpoint.path, (args as AnyArgs).params).replaceAll('%3A', ':')}`;
}
