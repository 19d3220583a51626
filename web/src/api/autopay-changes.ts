import {
  type AutopayUpdateParams,
  stopAutopay,
  updateAutopay,
} from '@gatehouse/contract/autopay-changes';
import { mutation, request } from './base.ts';
import { mutationHook } from './hooks.ts';

type Update = { ledgerId: string; body: AutopayUpdateParams; idempotencyKey: string };

export const autopayChangeCalls = {
  updateAutopay: mutation({
    send: ({ ledgerId, body, idempotencyKey }: Update) =>
      request(updateAutopay, { ledgerId }, { body, idempotencyKey }),
    invalidates: ['TenantLedgers', 'Autopay'],
  }),
  stopAutopay: mutation({
    send: (ledgerId: string) => request(stopAutopay, { ledgerId }),
    invalidates: ['TenantLedgers', 'Autopay'],
  }),
};

export const useUpdateAutopayMutation = mutationHook(autopayChangeCalls.updateAutopay);
export const useStopAutopayMutation = mutationHook(autopayChangeCalls.stopAutopay);
