import { formatDate } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import {
  listRequests,
  type TrackedKind,
  type TrackedRequest,
} from '@gatehouse/contract/tracked-requests';
import { api, request } from './base.ts';

/** A request with the tenant record that asked. */
export type RecordRequest = TrackedRequest & { tenantId: string };

export const { useListRequestsQuery, useListRequestsOfRecordsQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    /** What a tenant record asked of the facility; the spec's groups name none. */
    listRequests: build.query<Reply<typeof listRequests>, string>({
      query: (tenantId) => request(listRequests, { tenantId }),
    }),
    /** What several tenant records asked, newest first. */
    listRequestsOfRecords: build.query<RecordRequest[], string[]>({
      async queryFn(tenantIds, _api, _options, send) {
        const all: RecordRequest[] = [];
        for (const tenantId of tenantIds) {
          const { data, error } = await send(request(listRequests, { tenantId }));
          if (error) return { error };
          // `send` checks the answer by the endpoint's shape, which its type does not give.
          all.push(...(data as TrackedRequest[]).map((one) => ({ ...one, tenantId })));
        }
        return { data: all.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1)) };
      },
    }),
  }),
});

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
  const { data, refetch } = useListRequestsQuery(rental.tenantId, {
    refetchOnMountOrArgChange: isAskedAfresh,
  });
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
