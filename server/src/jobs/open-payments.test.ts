import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#context/context.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { sweepOpenPayments } from './open-payments.ts';
import { addRows, findRows } from '#test/rows.ts';

const now = new Date('2026-11-20T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

let facilityId: string;
let tenantId: string;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
});

const alarms = () => findRows(api.owner, 'alarms', ['kind', 'facts']);

/**
 * One round of the sweep at a gateway whose patience is three look-ups within 15 minutes, as at a
 * real one.
 */
async function sweepOnce(lookup: Context['gateway']['lookup']): Promise<void> {
  const gateway: Context['gateway'] = {
    ...api.ctx.gateway,
    patience: { lookups: 3, minutes: 15 },
    lookup,
    voidReference: () => Promise.resolve({ outcome: 'voided' }),
  };
  await sweepOpenPayments({ ...api.ctx, gateway })();
}

async function unknownIntent(age: number): Promise<string> {
  const id = randomUUID();
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: id },
  });
  await addRows(api.owner, 'payment_intents', {
    id,
    tenant_id: tenantId,
    type: 'creditCard',
    method_description: 'Visa ending in 4242',
    amount_cents: 100,
    state: 'unknown',
    debt_key: Buffer.from(id),
    attempt: 1,
    created_at: minutesAgo(age),
    updated_at: minutesAgo(age),
    not_found: 14,
    looked_up_at: minutesAgo(0.5),
  });
  await addRows(api.owner, 'payment_intent_ledgers', {
    intent_id: id,
    ledger_id: ledgerId,
    amount_cents: 100,
    state: 'unknown',
  });
  return id;
}

describe('the sweep of open payments', () => {
  test('gives up an unknown payment when the gateway’s patience is over, not up to a minute later', async () => {
    const [over, under] = [await unknownIntent(15.1), await unknownIntent(14.9)];
    await sweepOnce(() => Promise.resolve({ outcome: 'notFound' }));
    const states = await findRows(api.owner, 'payment_intents', ['id', 'state']);
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [over, 'never_sent'],
        [under, 'unknown'],
      ]),
    );
    expect(await alarms()).toEqual([]);
  });

  test('raises an alarm as soon as a payment is unknown for more than 15 minutes, once (I7)', async () => {
    const id = await unknownIntent(16);
    for (let round = 0; round < 2; round++)
      await sweepOnce(() => Promise.reject(new Error('away')));
    expect(await alarms()).toEqual([
      { kind: 'payment_unknown', facts: expect.objectContaining({ payment: id }) },
    ]);
  });
});
