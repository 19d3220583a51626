import { listAutopays } from '@gatehouse/contract/autopay';
import type { Reply } from '@gatehouse/contract/endpoint';
import { listFiles } from '@gatehouse/contract/esign';
import { getFacility } from '@gatehouse/contract/facilities';
import { idLists } from '@gatehouse/contract/id-lists';
import { getUnitGateAccess } from '@gatehouse/contract/gate-access';
import { listLedgerInsuranceStatuses } from '@gatehouse/contract/insurance';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { getOverview } from '@gatehouse/contract/overview';
import { getTenant } from '@gatehouse/contract/tenants';
import { getUnitContents } from '@gatehouse/contract/unit-contents';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { getSession } from '#session/session.ts';
import { autopayCalls } from './autopay.ts';
import { optionsOf } from './base.ts';
import { call, CallError, facilityPath, type AnyEndpoint } from './call.ts';
import { combine, urlOf } from './combined.ts';
import { esignCalls } from './esign.ts';
import { facilityCalls } from './facilities.ts';
import { firstRead, isBeginning, type FirstRead } from './first-read.ts';
import { gateAccessCalls } from './gate-access.ts';
import { insuranceCalls } from './insurance.ts';
import { ledgerCalls } from './ledgers.ts';
import { tenantCalls } from './tenants.ts';
import { unitContentsCalls } from './unit-contents.ts';

type Overview = Reply<typeof getOverview>;

/**
 * The first read of My Units: one call for all that it shows, from which the specification's calls
 * take their answers. Where it fails they are sent, and each part shows its own failure.
 */
export function overviewRead(tenantId: string): FirstRead {
  return async (cache) => {
    const overview = await beginOverview(tenantId);
    if (overview === null) return;
    const ids = overview.ledgers?.map(({ id }) => id) ?? [];
    const units = overview.gateAccess?.map(({ unitId }) => unitId) ?? [];
    const reads = [
      firstRead(facilityCalls.getFacility, undefined),
      firstRead(tenantCalls.getTenant, tenantId),
      firstRead(ledgerCalls.listLedgers, [tenantId]),
      firstRead(autopayCalls.listAutopays, tenantId),
      firstRead(esignCalls.listFiles, tenantId),
      ...ids.map((id) => firstRead(unitContentsCalls.getUnitContents, id)),
      // Into a cache in use it is not read: whoever shows it asks for it afresh, and takes it then.
      ...(isBeginning(cache)
        ? units.map((unitId) => firstRead(gateAccessCalls.getUnitGateAccess, unitId))
        : []),
      firstRead(insuranceCalls.listLedgerInsuranceStatuses, ids),
    ];
    await Promise.all(reads.map((read) => read(cache)));
  };
}

/** The same for a screen that is shown later, or for another record. */
export function useOverview(tenantId: string): void {
  const cache = useQueryClient();
  // Before the effects in which the parts are asked for.
  useLayoutEffect(() => {
    const { queryKey } = optionsOf(ledgerCalls.listLedgers, [tenantId]);
    const { status, fetchStatus } = cache.getQueryState(queryKey) ?? {};
    if (status === 'pending' && fetchStatus === 'idle') void beginOverview(tenantId);
  }, [tenantId, cache]);
}

/** The call that is under way, and whose. */
let pending: {
  tenantId: string;
  token: string;
  answer: Promise<Overview | null>;
} | null = null;

/**
 * Joins the call for the record where there is one under way. Null where it failed, or where the
 * session has ended, as it may between a render and its effects.
 */
function beginOverview(tenantId: string): Promise<Overview | null> {
  const token = getSession()?.token;
  if (token === undefined) return Promise.resolve(null);
  if (pending?.tenantId === tenantId && pending.token === token) return pending.answer;
  const begun = { tenantId, token, answer: sendOverview(tenantId) };
  pending = begun;
  const end = () => {
    if (pending === begun) pending = null;
  };
  begun.answer.then(end, end);
  return begun.answer;
}

function sendOverview(tenantId: string): Promise<Overview | null> {
  // Once: the session may be over when the answer comes.
  const prefix = facilityPath();
  const urlTo = (endpoint: AnyEndpoint, ids: Record<string, string>) =>
    urlOf(endpoint, { params: { ...prefix, ...ids } });
  const params = { ...prefix, tenantId };
  const overview = call(getOverview, { params }).catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    return null;
  });
  const record: [string, keyof Overview][] = [
    [urlTo(getFacility, {}), 'facility'],
    [urlTo(getTenant, { tenantId }), 'tenant'],
    [urlTo(listLedgers, { tenantIds: tenantId }), 'ledgers'],
    [urlTo(listAutopays, { tenantId }), 'autopays'],
    [urlTo(listFiles, { tenantId }), 'files'],
  ];
  const records = getSession()?.tenants.map(({ id }) => id) ?? [];
  const lists = idLists(records);
  const urlOfList = (tenantIds: string) => urlTo(listLedgers, { tenantIds });
  const answersOf = (found: Overview | null) => {
    if (found === null) return null;
    const answers = new Map<string, unknown>(record.map(([url, part]) => [url, found[part]]));
    for (const access of found.gateAccess ?? [])
      answers.set(urlTo(getUnitGateAccess, { unitId: access.unitId }), access);
    const ids = found.ledgers?.map(({ id }) => id) ?? [];
    for (const ledgerIds of idLists(ids))
      answers.set(
        urlTo(listLedgerInsuranceStatuses, { ledgerIds }),
        found.insuranceStatuses?.filter(({ ledgerId }) => ledgerIds.includes(ledgerId)),
      );
    if (found.others && found.ledgers) {
      for (const tenant of found.others.tenants)
        answers.set(urlTo(getTenant, { tenantId: tenant.id }), tenant);
      const all = [...found.ledgers, ...found.others.ledgers];
      for (const list of lists)
        answers.set(
          urlOfList(list),
          list.split(',').flatMap((id) => all.filter((ledger) => ledger.tenantId === id)),
        );
    }
    const stored = found.unitContents;
    for (const ledgerId of stored === undefined ? [] : ids) {
      const contents = stored?.find((one) => one.ledgerId === ledgerId)?.contents ?? '';
      answers.set(urlTo(getUnitContents, { ledgerId }), { contents });
    }
    return answers;
  };
  combine({
    awaited: new Set([
      ...record.map(([url]) => url),
      ...records.map((id) => urlTo(getTenant, { tenantId: id })),
      ...lists.map(urlOfList),
    ]),
    answers: overview.then(answersOf, () => null),
  });
  return overview;
}
