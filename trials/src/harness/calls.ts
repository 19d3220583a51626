import { pathOf, type Endpoint } from '@gatehouse/contract/endpoint';
import { listLedgers } from '@gatehouse/contract/ledgers';
import type { Call } from './client.ts';
import { CORPORATION, LOCATION, type Payer } from './world.ts';

/** What a portal reads most: the rentals of who is signed in. */
export function readLedgers({ tenantId, tokens }: Payer): Call {
  return { method: 'GET', path: pathAt(listLedgers, { tenantIds: tenantId }), token: tokens[0] };
}

/** The path of an endpoint at the facility of the proofs. */
export function pathAt({ path }: Pick<Endpoint, 'path'>, params: Record<string, string> = {}): string {
  return `/api${pathOf(path, { corp: CORPORATION, locationCode: LOCATION, ...params })}`;
}
