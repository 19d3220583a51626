import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { useRef, useState } from 'react';
import { useUpdateAutopayMutation } from '#api/autopay-changes.ts';
import { isApiError } from '#api/base.ts';
import { newIdempotencyKey } from '#api/idempotency-key.ts';
import { useLazyListLedgersQuery } from '#api/ledgers.ts';
import { useLazyListPaymentsQuery, useMakePaymentMutation } from '#api/payments.ts';
import { useRequester } from '#api/requester.ts';
import type { FlowCalls, PaidUnit } from './payment-flow.ts';
import {
  autopayNotice,
  createUpdateKeys,
  isSwitchingFromCcToAch,
  paymentNotice,
} from './payment-requests.ts';
import { type Answer, isFinal } from './submission.ts';

/** The rentals of the dialog's tenant record, their autopay, and the facility's today. */
export type Rentals = { tenantId: string; ledgers: Ledger[]; autopays: Autopay[]; today: string };

/** A payment may be of 400 units. */
const READ_AT_ONCE = 20;

/**
 * The calls of the flow. One key stands for all attempts of one payment, or one saving, until its
 * final answer.
 */
export function useCalls({ tenantId, ledgers, autopays, today }: Rentals): FlowCalls {
  const [makePayment] = useMakePaymentMutation();
  const [updateAutopay] = useUpdateAutopayMutation();
  const [listLedgers] = useLazyListLedgersQuery();
  const [listPayments] = useLazyListPaymentsQuery();
  const { firstName, lastName } = useRequester({ tenantId });
  const payer = { firstName, lastName };
  const key = useRef<string | null>(null);
  const [updateKeys] = useState(() => createUpdateKeys(newIdempotencyKey));

  const isSwitching = (ledgerId: string, method: PaymentMethodFields) =>
    isSwitchingFromCcToAch(
      autopays.find((record) => record.ledgerId === ledgerId),
      method,
    );

  const calls: FlowCalls = {
    async makePayment(body, isRepeat) {
      key.current ??= newIdempotencyKey();
      const notice = paymentNotice(body.payments, body, {
        payer,
        ledgers,
        isSwitching: body.payments.some(({ ledgerId }) => isSwitching(ledgerId, body)),
        today,
      });
      const answer = answerOf(
        await makePayment({ tenantId, body: { ...body, ...notice }, idempotencyKey: key.current }),
      );
      if ('data' in answer || isFinal(answer.error.status, isRepeat)) calls.renewKey();
      return answer;
    },
    async updateAutopay(ledgerId, method) {
      const unitName = ledgers.find(({ id }) => id === ledgerId)?.unitName;
      const body = { ...method, ...autopayNotice(unitName, isSwitching(ledgerId, method), payer) };
      const idempotencyKey = updateKeys.keyOf(ledgerId, method);
      const answer = answerOf(await updateAutopay({ ledgerId, body, idempotencyKey }));
      if ('data' in answer || isFinal(answer.error.status)) updateKeys.renew(ledgerId);
      return answer;
    },
    listLedgers: async () => (await listLedgers([tenantId])).data,
    async listPaidUnits(paid, other) {
      const units: PaidUnit[] = [];
      for (let from = 0; from < paid.length; from += READ_AT_ONCE)
        units.push(
          ...(await Promise.all(
            paid.slice(from, from + READ_AT_ONCE).map(async ({ id, balance }) => {
              const sum = other?.amount ?? balance;
              const history = (await listPayments(id)).data;
              const newest = history?.find(({ amount }) => amount === sum);
              return { ledgerId: id, amount: sum, receiptNumber: newest?.receiptNumber ?? null };
            }),
          )),
        );
      return units;
    },
    renewKey() {
      key.current = null;
    },
  };
  return calls;
}

/**
 * A mutation's answer; what is no answer of the API is a bug, which the tenant meets as a call that
 * brought nothing.
 */
function answerOf<Reply>(result: { data?: Reply; error?: unknown }): Answer<Reply> {
  if (result.data !== undefined) return { data: result.data };
  if (isApiError(result.error)) return { error: result.error };
  return { error: { status: 0, message: t('Something went wrong. Please try again.') } };
}
