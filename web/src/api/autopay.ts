import { listAutopays } from '@gatehouse/contract/autopay';
import { query, request } from './base.ts';
import { queryHook } from './hooks.ts';

export const autopayCalls = {
  listAutopays: query({
    name: 'listAutopays',
    group: 'Autopay',
    send: (tenantId: string) => request(listAutopays, { tenantId }),
  }),
};

export const useListAutopaysQuery = queryHook(autopayCalls.listAutopays);
