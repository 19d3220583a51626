import {
  getReceiptPaper,
  getStatementPaper,
  getTenantReceiptPaper,
  getYearStatementPaper,
  listStatements,
  listYearStatements,
  type Paper,
} from '@gatehouse/contract/papers';
import { query, request } from './base.ts';
import { call, facilityPath } from './call.ts';
import { queryHook } from './hooks.ts';

export const paperCalls = {
  /** The months of a tenant record; the spec's groups name none. */
  listStatements: query({
    name: 'listStatements',
    group: null,
    send: (tenantId: string) => request(listStatements, { tenantId }),
  }),
  /** The years in which a tenant record paid; the spec's groups name none. */
  listYearStatements: query({
    name: 'listYearStatements',
    group: null,
    send: (tenantId: string) => request(listYearStatements, { tenantId }),
  }),
};

export const useListYearStatementsQuery = queryHook(paperCalls.listYearStatements);
export const useListStatementsQuery = queryHook(paperCalls.listStatements);

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

/** What the tenant record paid in a calendar year. */
export function fetchYearStatementPaper(tenantId: string, year: string): Promise<Paper> {
  return call(getYearStatementPaper, { params: { ...facilityPath(), tenantId, year } });
}
