import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { listAlarms, listAudit, listDifferences } from '@gatehouse/contract/office/audit';
import { MOST_ROWS, USUAL_ROWS } from '@gatehouse/contract/office/lists';
import { listInsurance } from '@gatehouse/contract/office/insurance';
import { listLate } from '@gatehouse/contract/office/late';
import { listRates } from '@gatehouse/contract/office/rates';
import { getRentRoll } from '@gatehouse/contract/office/reports';
import { getOfficeRequest, listOfficeRequests } from '@gatehouse/contract/office/requests';
import { getFacilityFile } from '@gatehouse/contract/office/settings';
import { getStaff, listStaff } from '@gatehouse/contract/office/staff';
import {
  getTenantFile,
  listBooks,
  listTenantMails,
  listTenants,
} from '@gatehouse/contract/office/tenants';
import { getUnit, listUnits } from '@gatehouse/contract/office/units';
import { listExpiringPapers } from '@gatehouse/contract/office/vehicle-papers';
import {
  type DataProvider,
  type GetListParams,
  HttpError,
  type Identifier,
  type RaRecord,
} from 'react-admin';
import { z } from 'zod/mini';
import { call } from './call.ts';
import { facilityInView } from './facility.ts';

/** The list of a resource; `of` names the filter that is a parameter of its path. */
type ListCall = { endpoint: OfficeEndpoint; of?: string };

const lists: Record<string, ListCall> = {
  tenants: { endpoint: listTenants },
  books: { endpoint: listBooks, of: 'tenantId' },
  mails: { endpoint: listTenantMails, of: 'tenantId' },
  units: { endpoint: listUnits },
  insurance: { endpoint: listInsurance },
  late: { endpoint: listLate },
  requests: { endpoint: listOfficeRequests },
  papers: { endpoint: listExpiringPapers },
  rates: { endpoint: listRates },
  'rent-roll': { endpoint: getRentRoll },
  staff: { endpoint: listStaff },
  audit: { endpoint: listAudit },
  alarms: { endpoint: listAlarms },
  differences: { endpoint: listDifferences },
};

/** One of a resource, and the parameter of its path. */
const ones: Record<string, { endpoint: OfficeEndpoint; by: string }> = {
  tenants: { endpoint: getTenantFile, by: 'tenantId' },
  units: { endpoint: getUnit, by: 'unitId' },
  requests: { endpoint: getOfficeRequest, by: 'requestId' },
  facilities: { endpoint: getFacilityFile, by: 'facilityId' },
  staff: { endpoint: getStaff, by: 'staffId' },
};

type Page = { rows: RaRecord[]; next: string | null };

/**
 * Reads the office's lists for react-admin. Changes are no `update`: they are verbs with a preview
 * (parts/action-dialog.tsx) and calls of their own.
 */
export const dataProvider: DataProvider = {
  async getList(resource, params) {
    const { page: number = 1, perPage = USUAL_ROWS } = params.pagination ?? {};
    const page =
      perPage > MOST_ROWS
        ? await readMany(getListCall(resource), params, perPage)
        : await readPage(getListCall(resource), params, params.signal);
    const data = page.rows as never[];
    // How many there are is known on the last page only.
    return page.next === null
      ? { data, total: (number - 1) * perPage + data.length }
      : { data, pageInfo: { hasNextPage: true, hasPreviousPage: number > 1 } };
  },
  async getOne(resource, { id, signal }) {
    return { data: (await readOne(resource, id, signal)) as never };
  },
  async getMany(resource, { ids, signal }) {
    const data = await Promise.all(ids.map((id) => readOne(resource, id, signal)));
    return { data: data as never[] };
  },
  getManyReference: () => notOffered(),
  create: () => notOffered(),
  update: () => notOffered(),
  updateMany: () => notOffered(),
  delete: () => notOffered(),
  deleteMany: () => notOffered(),
};

function notOffered(): Promise<never> {
  return Promise.reject(new Error('The office changes nothing this way.'));
}

function getListCall(resource: string): ListCall {
  const found = lists[resource];
  if (found === undefined) throw new Error(`There is no list of ${resource}.`);
  return found;
}

async function readOne(resource: string, id: Identifier, signal?: AbortSignal) {
  const found = ones[resource];
  if (found === undefined) throw new Error(`There is no page of one of ${resource}.`);
  return call(found.endpoint, { params: { [found.by]: String(id) } } as never, signal);
}

/**
 * The cursors of the pages of each list that were read: a list is read from a cursor on, and
 * react-admin asks for a page by its number.
 */
const cursors = new Map<string, (string | null)[]>();

async function readPage(
  list: ListCall,
  { pagination, sort, filter = {} }: GetListParams,
  signal?: AbortSignal,
): Promise<Page> {
  const { page = 1, perPage = USUAL_ROWS } = pagination ?? {};
  const { [list.of ?? '']: owner, ...filters } = filter as Record<string, unknown>;
  const sorts = sortOf(list.endpoint, sort);
  const query = {
    ...(acceptsLocation(list.endpoint) && { locationCode: facilityInView() }),
    ...texts(filters),
    ...sorts,
    limit: String(perPage),
  };
  const params = list.of === undefined ? {} : { params: { [list.of]: String(owner) } };
  const key = JSON.stringify([list.endpoint.path, params, query]);
  const read = (after: string | null | undefined) =>
    call(
      list.endpoint,
      { ...params, query: { ...query, ...(after != null && { after }) } } as never,
      signal,
    ) as Promise<Page>;
  // The first page is asked afresh, and with it the cursors that follow from it.
  const known = page === 1 ? [null] : (cursors.get(key) ?? [null]);
  cursors.set(key, known);
  for (let number = Math.min(known.length, page); ; number++) {
    const answer = await read(known[number - 1]);
    known[number] = answer.next;
    if (number === page) return answer;
    if (answer.next === null) throw new HttpError('There is no such page.', 404);
  }
}

/** The first `most` rows, for an export: page by page. */
async function readMany(list: ListCall, params: GetListParams, most: number): Promise<Page> {
  const rows: RaRecord[] = [];
  for (let page = 1; ; page++) {
    const pagination = { page, perPage: MOST_ROWS };
    const { rows: more, next } = await readPage(list, { ...params, pagination }, params.signal);
    rows.push(...more);
    if (next === null || rows.length >= most) return { rows, next };
  }
}

/** The sort by the endpoint's own names; react-admin's usual `id` is none of them. */
function sortOf({ query }: OfficeEndpoint, sort: GetListParams['sort']) {
  const { sort: sorts } = shapeOf(query);
  if (sort === undefined || sorts === undefined || !z.safeParse(sorts, sort.field).success)
    return {};
  return { sort: sort.field, order: sort.order.toLowerCase() };
}

function acceptsLocation({ query }: OfficeEndpoint): boolean {
  return 'locationCode' in shapeOf(query);
}

/** The fields of a query. */
function shapeOf(query: OfficeEndpoint['query']): Record<string, z.core.$ZodType> {
  return query instanceof z.ZodMiniObject ? query.shape : {};
}

function texts(filters: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
}
