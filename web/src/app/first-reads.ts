import { autopayCalls } from '#api/autopay.ts';
import { areEarlyAnswersHere } from '#api/early.ts';
import { esignCalls } from '#api/esign.ts';
import { facilityCalls } from '#api/facilities.ts';
import { ledgerCalls } from '#api/ledgers.ts';
import { tenantCalls } from '#api/tenants.ts';
import { getSession, type Session } from '#session/session.ts';
import { createStore } from './store.ts';

type Store = ReturnType<typeof createStore>;

/** The store of a session, and the state that the HTML was rendered from. */
type Begun = { token: string | undefined; store: Store; prerendered: ReturnType<Store['getState']> };

/** The screen holds on to what it reads; until then the cache keeps it. */
const unheld = { subscribe: false };

/** What the HTML's own script has sent for a page (early-calls.ts), as its screen asks for it. */
const firstReads: Record<string, (read: Store['dispatch'], session: Session) => PromiseLike<unknown>[]> = {
  '/': (read, { currentTenantId: tenantId }) => [
    read(ledgerCalls.listLedgers.initiate([tenantId], unheld)),
    read(facilityCalls.getFacility.initiate(undefined, unheld)),
    read(autopayCalls.listAutopays.initiate(tenantId, unheld)),
    read(esignCalls.listFiles.initiate(tenantId, unheld)),
    read(tenantCalls.getTenant.initiate(tenantId, unheld)),
  ],
  '/billing-info': (read, { currentTenantId: tenantId }) => [
    read(ledgerCalls.listLedgers.initiate([tenantId], unheld)),
    read(facilityCalls.getFacility.initiate(undefined, unheld)),
    read(autopayCalls.listAutopays.initiate(tenantId, unheld)),
  ],
  '/payment-history': (read, { tenants }) => [
    read(
      ledgerCalls.listLedgers.initiate(
        tenants.map(({ id }) => id),
        unheld,
      ),
    ),
    read(facilityCalls.getFacility.initiate(undefined, unheld)),
  ],
};

let begun: Begun | null = null;

/** The store of the session: the one that has the first reads, until it is mounted. */
export function beginStore(): Begun {
  const token = getSession()?.token;
  if (begun === null || begun.token !== token) {
    const store = createStore();
    begun = { token, store, prerendered: store.getState() };
  }
  return begun;
}

/** Called once the store is mounted: the next one starts empty, with the same session too (C5). */
export function releaseStore(): void {
  begun = null;
}

/**
 * Makes the first reads of a page before it is rendered. Answers whether what it shows is in the store: where the
 * answers are not here yet, nothing waits for them.
 */
export async function readFirst(path: string): Promise<boolean> {
  const session = getSession();
  if (session === null) return false;
  const areHere = areEarlyAnswersHere();
  const reads = firstReads[path]?.(beginStore().store.dispatch, session) ?? [];
  if (areHere) await Promise.all(reads);
  return areHere;
}
