import type { Args } from '@gatehouse/contract/endpoint';
import { type BaseQueryFn, createApi, retry } from '@reduxjs/toolkit/query/react';
import {
  type AnyArgs,
  type AnyEndpoint,
  call,
  CallError,
  type CallErrorKind,
  facilityPath,
} from './call.ts';
import { takeCombined } from './combined.ts';

/**
 * How a subject file adds its endpoints (one file a subject, tags declared in the endpoint):
 *
 *   export const { useListLedgersQuery } = api.injectEndpoints({
 *     endpoints: (build) => ({
 *       listLedgers: build.query<Reply<typeof listLedgers>, { tenantIds: string[] }>({
 *         query: ({ tenantIds }) => request(listLedgers, { tenantIds: tenantIds.join(',') }),
 *         providesTags: ['TenantLedgers'],
 *       }),
 *       makePayment: build.mutation<Reply<typeof makePayment>, { tenantId: string; body: PaymentParams; key: string }>({
 *         query: ({ tenantId, body, key }) => request(makePayment, { tenantId }, { body, idempotencyKey: key }),
 *         invalidatesTags: ['TenantCharges', 'TenantLedgers'],
 *       }),
 *     }),
 *   });
 *
 * A failed call's `error` is `{ status, message, kind }`; show `message`. Status 0 means that no
 * usable answer came: a payment may then have gone through (`kind` 'timeout', 'fetch' or
 * 'parsing'). Reset a mutation that carried card or bank fields once it is done (C8).
 */
export type ApiError = { status: number; message: string; kind: CallErrorKind };

/** What a subject's `query` answers; made by `request`. */
export type ApiRequest = {
  endpoint: AnyEndpoint;
  /** Without the parameters of the facility prefix, which are known when it is sent. */
  args: AnyArgs;
  idempotencyKey?: string | undefined;
};

/**
 * A request under the facility prefix: corporation and location are filled in, a feature names only
 * its own ids.
 */
export function request<E extends AnyEndpoint>(
  endpoint: E,
  ids: OwnIds<E>,
  { idempotencyKey, ...rest }: Rest<E> & { idempotencyKey?: string } = {} as Rest<E>,
): ApiRequest {
  return {
    endpoint,
    args: { ...(rest as AnyArgs), params: ids },
    idempotencyKey,
  };
}

/** The error of a query or mutation, or undefined where it is a bug rather than an answer. */
export function isApiError(error: unknown): error is ApiError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'status' in error &&
    'message' in error &&
    'kind' in error
  );
}

const send: BaseQueryFn<ApiRequest, unknown, ApiError> = async (
  { endpoint, args: given, idempotencyKey },
  { signal },
) => {
  try {
    const args = { ...given, params: { ...facilityPath(), ...given.params } };
    const combined = await takeCombined(endpoint, args);
    if (combined !== undefined) return { data: combined };
    return { data: await call(endpoint, args as Args<AnyEndpoint>, { idempotencyKey, signal }) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { error: { status: error.status, message: error.message, kind: error.kind } };
  }
};

/**
 * Reads are tried again twice, with the library's growing and jittered pause; nothing that writes
 * ever is (C12).
 */
export const MOST_RETRIES = 2;
const passing = [502, 503, 504];

const baseQuery = retry(send, {
  retryCondition: (error, { endpoint }: ApiRequest, { attempt }) =>
    endpoint.method === 'GET' &&
    attempt <= MOST_RETRIES &&
    isApiError(error) &&
    (error.kind === 'fetch' || passing.includes(error.status)),
});

/** The groups of cached data (spec section 4). */
export const tagTypes = [
  'TenantInformation',
  'LedgerInsurance',
  'Autopay',
  'LedgerGateAccess',
  'TenantLedgers',
  'LedgerVehicle',
  'TenantCharges',
  'UnitContents',
] as const;

/**
 * The one cache of server data. Unused data is kept 60 seconds (spec section 9). The spec's 500 ms
 * batching of subscription updates is what the library does by itself; base.test.ts holds it to
 * that.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes,
  keepUnusedDataFor: 60,
  endpoints: () => ({}),
});

type Prefix = 'corp' | 'locationCode';
type OwnIds<E> =
  Args<E> extends { params: infer Params } ? Omit<Params, Prefix> : Record<string, never>;
type Rest<E> = Omit<Args<E>, 'params'>;
