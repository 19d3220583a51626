import { pathOf } from '@gatehouse/contract/endpoint';
import type { FirstReads } from '#api/first-read.ts';
import type { PagePlan } from './before-paint.ts';

/** In place of a session: what the HTML's own script fills in, at the place where it belongs. */
const placeholders = {
  token: '',
  tenants: [{ id: ':allTenants' }],
  currentTenantId: ':currentTenant',
  locationCode: ':locationCode',
};

/** The plan of a page for the script in its HTML: the URLs of its screen's first reads. */
export function planOf(side: PagePlan['side'], reads: FirstReads = () => []): PagePlan {
  const calls = reads(placeholders).map(({ endpoint, params }) =>
    // What is to be filled in comes escaped.
    `/api${pathOf(endpoint.path, params)}`.replaceAll('%3A', ':'),
  );
  return { side, calls };
}
