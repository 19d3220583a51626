import type { Reply } from '@gatehouse/contract/endpoint';
import {
  getReceiptPaper,
  getStatementPaper,
  getTenantReceiptPaper,
  listStatements,
  type Paper,
} from '@gatehouse/contract/papers';
import { api, request } from './base.ts';
import { call, facilityPath } from './call.ts';

export const { useListStatementsQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    /** The months of a tenant record; the spec's groups name none. */
    listStatements: build.query<Reply<typeof listStatements>, string>({
      query: (tenantId) => request(listStatements, { tenantId }),
    }),
  }),
});

/** Papers are handed to the browser to save and never kept: the cache has no use for them. */
export function fetchReceiptPaper(ledgerId: string, receiptNumber: string): Promise<Paper> {
  return call(getReceiptPaper, { params: { ...facilityPath(), ledgerId, receiptNumber } });
}

/** The receipt of a payment of the tenant record, also on a rental that has ended. */
export function fetchTenantReceiptPaper(tenantId: string, receiptNumber: string): Promise<Paper> {
  return call(getTenantReceiptPaper, { params: { ...facilityPath(), tenantId, receiptNumber } });
}

export function fetchStatementPaper(tenantId: string, number: string): Promise<Paper> {
  return call(getStatementPaper, { params: { ...facilityPath(), tenantId, number } });
}
