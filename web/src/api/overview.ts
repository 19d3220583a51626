import type { Reply } from '@gatehouse/contract/endpoint';
import { getOverview } from '@gatehouse/contract/overview';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import type { Session } from '#session/session.ts';
import { autopayCalls } from './autopay.ts';
import { changesOf, optionsOf, type Query } from './base.ts';
import { call, CallError, facilityPath, type Transport } from './call.ts';
import { earlyOrFetch } from './early.ts';
import { esignCalls } from './esign.ts';
import { facilityCalls } from './facilities.ts';
import type { FirstRead } from './first-read.ts';
import { gateAccessCalls } from './gate-access.ts';
import { insuranceCalls } from './insurance.ts';
import { ledgerCalls } from './ledgers.ts';
import { tenantCalls } from './tenants.ts';
import { unitContentsCalls } from './unit-contents.ts';

type Overview = Reply<typeof getOverview>;

/** What is asked afresh on every mount is not asked again for this time after the overview. */
const JUST_READ_MS = 5_000;

/**
 * The first read of My Units: one call for all that it shows, which fills the queries of the
 * specification's calls. Where it fails they are sent, and each part shows its own failure.
 */
export function overviewRead(session: Session): FirstRead {
  return {
    endpoint: getOverview,
    params: paramsOf(session),
    begin: (cache) => readOverview(cache, session, earlyOrFetch),
  };
}

/** The same for a screen that is shown later, or for another record. */
export function useOverview(session: Session): void {
  const cache = useQueryClient();
  // Before the effects in which the parts are asked for.
  useLayoutEffect(() => {
    const { queryKey } = optionsOf(ledgerCalls.listLedgers, [session.currentTenantId]);
    const { status, fetchStatus } = cache.getQueryState(queryKey) ?? {};
    if (status === 'pending' && fetchStatus === 'idle') void readOverview(cache, session);
  }, [session, cache]);
}

function paramsOf(session: Session) {
  return { ...facilityPath(session), tenantId: session.currentTenantId };
}

/** Settles when all that is shown first is in the cache, or has failed. */
async function readOverview(
  cache: QueryClient,
  session: Session,
  transport?: Transport,
): Promise<void> {
  const { token, tenants, currentTenantId } = session;
  const changes = changesOf(cache);
  const answer = call(
    getOverview,
    { params: paramsOf(session) },
    { begunIn: token, transport },
  ).then(
    (overview) => {
      // What was read before a change is not what is there after it.
      if (changesOf(cache) !== changes) return null;
      fillByRental(cache, overview);
      return overview;
    },
    (error: unknown) => {
      if (!(error instanceof CallError)) throw error;
      return null;
    },
  );

  /**
   * Has the query of a part wait for the answer; what that does not bring is asked for, as is
   * everything where the query is read again.
   */
  async function fill<Arg, Data>(
    query: Query<Arg, Data>,
    arg: Arg,
    partOf: (overview: Overview) => Data | undefined,
  ): Promise<void> {
    const options = optionsOf(query, arg);
    let first: typeof answer | null = answer;
    const read = cache.query({
      ...options,
      async queryFn(context) {
        const overview = await first;
        first = null;
        return (overview && partOf(overview)) ?? options.queryFn(context);
      },
    });
    await read.catch(() => undefined);
  }

  const all = tenants.map(({ id }) => id);
  const others = all.filter((id) => id !== currentTenantId);
  await Promise.all([
    fill(facilityCalls.getFacility, undefined, ({ facility }) => facility),
    fill(tenantCalls.getTenant, currentTenantId, ({ tenant }) => tenant),
    fill(ledgerCalls.listLedgers, [currentTenantId], ({ ledgers }) => ledgers),
    fill(autopayCalls.listAutopays, currentTenantId, ({ autopays }) => autopays),
    fill(esignCalls.listFiles, currentTenantId, ({ files }) => files),
    ...(others.length > 0
      ? [
          fill(tenantCalls.listTenants, others, (overview) => overview.others?.tenants),
          fill(ledgerCalls.listLedgers, all, (overview) => ledgersOf(overview, all)),
        ]
      : []),
  ]);
}

/** The rentals of all records of the sign-in, in the order of their ids. */
function ledgersOf({ ledgers, others }: Overview, tenantIds: string[]) {
  const found = ledgers && others && [...ledgers, ...others.ledgers];
  return found && tenantIds.flatMap((id) => found.filter(({ tenantId }) => tenantId === id));
}

/** What is asked for by rental: none is shown before the answer is here. */
function fillByRental(cache: QueryClient, overview: Overview): void {
  const { ledgers = [], gateAccess = [], insuranceStatuses, unitContents } = overview;
  const updatedAt = Date.now() + JUST_READ_MS;
  const keep = <Arg, Data>(query: Query<Arg, Data>, arg: Arg, data: Data | undefined) =>
    cache.setQueryData(optionsOf(query, arg).queryKey, data, { updatedAt });
  const ids = ledgers.map(({ id }) => id);
  for (const access of gateAccess) keep(gateAccessCalls.getUnitGateAccess, access.unitId, access);
  keep(insuranceCalls.listLedgerInsuranceStatuses, ids, insuranceStatuses);
  if (unitContents === undefined) return;
  for (const id of ids) {
    const { contents = '' } = unitContents.find(({ ledgerId }) => ledgerId === id) ?? {};
    keep(unitContentsCalls.getUnitContents, id, { contents });
  }
}
