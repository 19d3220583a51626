import type { Args } from '@gatehouse/contract/endpoint';
import { formatDate } from '@gatehouse/contract/dates';
import {
  answerRequest,
  listRequests,
  type TrackedKind,
  type TrackedRequest,
} from '@gatehouse/contract/tracked-requests';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

/** A request with the tenant record that asked. */
export type RecordRequest = TrackedRequest & { tenantId: string };

type AnswerArg = {
  tenantId: string;
  requestId: string;
  body: Args<typeof answerRequest>['body'];
  idempotencyKey: string;
};

export const requestCalls = {
  /** What a tenant record asked of the facility; the spec's groups name none. */
  listRequests: query({
    name: 'listRequests',
    group: null,
    send: (tenantId: string) => request(listRequests, { tenantId }),
  }),
  /** What several tenant records asked, newest first. */
  listRequestsOfRecords: query({
    name: 'listRequestsOfRecords',
    group: null,
    async send(tenantIds: string[]): Promise<RecordRequest[]> {
      const all: RecordRequest[] = [];
      for (const tenantId of tenantIds) {
        const ofRecord = await request(listRequests, { tenantId });
        all.push(...ofRecord.map((one) => ({ ...one, tenantId })));
      }
      return all.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
    },
  }),
  /** The caller that sends it asks for the requests again; the spec's groups name none. */
  answerRequest: mutation({
    send: ({ tenantId, requestId, body, idempotencyKey }: AnswerArg) =>
      request(answerRequest, { tenantId, requestId }, { body, idempotencyKey }),
    invalidates: [],
  }),
};

export const useListRequestsQuery = queryHook(requestCalls.listRequests);
export const useListRequestsOfRecordsQuery = queryHook(requestCalls.listRequestsOfRecords);
export const useAnswerRequestMutation = mutationHook(requestCalls.answerRequest);

/** A request that is not done: the day as it shows, and its reference. */
type OpenRequest = { askedOn: string; reference: string };

/**
 * The newest request of a kind about a rental that is not done, and how to ask again; asked
 * afresh, since staff may have answered, but where several parts of a screen ask at once.
 */
export function useOpenRequest(
  kind: TrackedKind,
  rental: { tenantId: string; unitName: string },
  isAskedAfresh = true,
): { open: OpenRequest | undefined; refetch: () => void } {
  const { data, refetch } = useListRequestsQuery(rental.tenantId, { isAskedAfresh });
  const open = data?.find(
    (one) => one.kind === kind && one.unitName === rental.unitName && one.status !== 'done',
  );
  return {
    open: open && { askedOn: formatDate(open.askedOn), reference: open.reference },
    refetch: () => void refetch(),
  };
}

function sortKey({ askedOn, reference }: TrackedRequest): string {
  return askedOn + reference.padStart(20);
}
