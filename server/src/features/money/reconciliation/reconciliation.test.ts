import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GatewayPayout, Transaction } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { makeReconciliationWorld, type ReconciliationWorld } from './reconciliation.fixture.ts';
import { storePayouts } from './payouts.ts';
import { reconcileDay, reconcileOpenIntents, reconcileToday } from './reconciliation.ts';
import { addRows, findRows, getRow } from '#test/rows.ts';

const now = new Date('2026-11-20T12:00:00Z');

let facilityId: string;
let of: { tenantId: string; ledgerId: string; facilityId: string };
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId },
  });
  of = { tenantId, ledgerId, facilityId };
});
beforeEach(async () => {
  await api.owner.deleteFrom('alarms').execute();
  await api.owner.deleteFrom('differences').execute();
});

const against = (world: Pick<ReconciliationWorld, 'listTransactions'>): Context => ({
  ...api.ctx,
  config: { ...api.ctx.config, operatorEmail: 'operator@example.com' },
  gateway: { ...api.ctx.gateway, listTransactions: world.listTransactions },
});
const found = async () => {
  const rows = await findRows(api.owner, 'differences', ['class', 'reference']);
  return rows.map((row) => `${row.class} ${row.reference}`);
};
const alarms = () => findRows(api.owner, 'alarms', ['kind', 'facts']);

describe('the daily reconciliation', () => {
  test('finds and classes every difference among clean rows, and nothing else, once however often it runs (R14)', async () => {
    const world = await makeReconciliationWorld(api.owner, of, {
      clean: 1000,
      each: 4,
      seed: 'r14',
      day: '2026-11-18',
    });
    const ctx = against(world);
    const run = await reconcileDay(ctx, world.from, world.to);
    expect(new Set(await found())).toEqual(world.expected);
    expect(run.found).toEqual({
      gateway_only: 4,
      ledger_only: 4,
      amount: 4,
      status: 4,
      duplicate: 4,
      refund: 0,
      dispute: 0,
    });
    expect(run.compared).toBe(1020);
    expect(await alarms()).toEqual([
      {
        kind: 'reconciliation_difference',
        facts: expect.objectContaining({ duplicate: 4, first: expect.anything() }),
      },
    ]);
    const [mail] = await readMails(api);
    expect(mail!.to_address).toBe('operator@example.com');
    for (const difference of world.expected) expect(mail!.text).toContain(difference);

    const again = await reconcileDay(ctx, world.from, world.to);
    expect(Object.values(again.found)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await found()).toHaveLength(20);
    expect(await alarms()).toHaveLength(1);
    expect(
      await api.owner
        .selectFrom('gateway_lines' as never)
        .selectAll()
        .execute(),
    ).toEqual([]);
  });

  test('counts no payment as a difference that is under way at the ends of its window', async () => {
    const world = await makeReconciliationWorld(api.owner, of, {
      clean: 500,
      each: 0,
      seed: 'ends',
      day: '2026-11-17',
    });
    const middle = new Date('2026-11-17T11:59:58.500Z');
    await reconcileDay(against(world), world.from, middle);
    await reconcileDay(against(world), middle, world.to);
    expect(await found()).toEqual([]);
  });

  test('leaves the last minutes to the next run', async () => {
    const at = new Date(now.getTime() - 60_000);
    const line: Transaction = {
      reference: randomUUID(),
      amountCents: 100,
      standing: 'succeeded',
      at,
    };
    const run = await reconcileDay(
      against(listing([line])),
      new Date(now.getTime() - 3_600_000),
      now,
    );
    expect(run.to).toEqual(new Date('2026-11-20T11:45:00Z'));
    expect(await found()).toEqual([]);
  });

  test('takes a bank debit back that was settled and is returned on the sixtieth day after', async () => {
    const at = new Date(now.getTime() - 66 * 24 * 3_600_000);
    const reference = randomUUID();
    await insertIntent({
      id: reference,
      type: 'ach',
      state: 'settled',
      receipt_number: 'S1',
      created_at: at,
    });
    const ctx = against(listing([{ reference, amountCents: 100, standing: 'returned', at }]));
    ctx.gateway.lookup = () => Promise.resolve({ outcome: 'returned', code: 'R10' });
    await reconcileToday(ctx);
    const { state } = await getRow(api.owner, 'payment_intents', 'state', { id: reference });
    expect(state).toBe('returned');
    expect(await found()).not.toContain(`status ${reference}`);
  });

  test('takes a charge under a reference that is none of ours, and no decline, for a difference', async () => {
    const at = new Date('2026-11-16T10:00:00Z');
    const lines: Transaction[] = [
      { reference: 'ch_foreign', amountCents: 100, standing: 'succeeded', at },
      { reference: randomUUID(), amountCents: 100, standing: 'declined', at },
    ];
    await reconcileDay(against(listing(lines)), new Date('2026-11-16'), new Date('2026-11-17'));
    expect(await found()).toEqual(['gateway_only ch_foreign']);
  });
});

describe('the payouts of the gateway', () => {
  const window = { from: new Date('2026-11-01'), to: now };
  const paying = (payout: Partial<GatewayPayout>, references: string[]) => {
    const reads: string[] = [];
    const ctx: Context = { ...api.ctx, gateway: { ...api.ctx.gateway } };
    ctx.gateway.listPayouts = async function* () {
      const whole = {
        id: 'po_1',
        arrivesOn: '2026-11-22',
        standing: 'underWay' as const,
        ...payout,
      };
      const listed = async function* () {
        reads.push(whole.id);
        for (const reference of references) yield await Promise.resolve(reference);
      };
      yield await Promise.resolve({ ...whole, references: listed });
    };
    return { ctx, reads };
  };
  const stored = () =>
    api.owner
      .selectFrom('payout_payments')
      .innerJoin('gateway_payouts', 'id', 'payout_id')
      .select(['intent_id', 'payout_id', 'arrives_on', 'standing'])
      .orderBy('intent_id')
      .execute();
  const settled = async (number: string) => {
    const id = randomUUID();
    await insertIntent({
      id,
      type: 'ach',
      state: 'settled',
      receipt_number: number,
      created_at: window.from,
    });
    return id;
  };
  beforeEach(async () => {
    await api.owner.deleteFrom('payout_payments').execute();
    await api.owner.deleteFrom('gateway_payouts').execute();
  });

  test('are stored once with the payments that are ours, by two runs at once too, and read no second time', async () => {
    const own = [await settled('P1'), await settled('P2')].toSorted();
    const first = paying({}, [...own, randomUUID()]);
    await Promise.all([storePayouts(first.ctx, window), storePayouts(first.ctx, window)]);
    const row = { payout_id: 'po_1', arrives_on: '2026-11-22', standing: 'underWay' };
    expect(await stored()).toEqual(own.map((intent_id) => ({ intent_id, ...row })));
    const again = paying({ arrivesOn: '2026-11-23', standing: 'failed' }, own);
    await storePayouts(again.ctx, window);
    expect(again.reads).toEqual([]);
    const changed = { payout_id: 'po_1', arrives_on: '2026-11-23', standing: 'failed' };
    expect(await stored()).toEqual(own.map((intent_id) => ({ intent_id, ...changed })));
    await storePayouts(paying({ id: 'po_2' }, own).ctx, window);
    expect((await stored()).map(({ payout_id }) => payout_id)).toEqual(['po_1', 'po_1']);
  });

  test('are stored by the daily comparison, from where a run that failed had come to', async () => {
    const own = await settled('P3');
    const broken = paying({}, []);
    broken.ctx.gateway.listPayouts = async function* () {
      const references = async function* () {
        yield await Promise.resolve(own);
        throw new Error('away');
      };
      yield await Promise.resolve({
        id: 'po_1',
        arrivesOn: '2026-11-22',
        standing: 'paid' as const,
        references,
      });
    };
    const day = { ...listing([]), from: new Date('2026-11-19'), to: now };
    const run = (ctx: Context) =>
      reconcileDay(
        { ...ctx, gateway: { ...ctx.gateway, listTransactions: day.listTransactions } },
        day.from,
        day.to,
      );
    await expect(run(broken.ctx)).rejects.toThrow('away');
    await run(paying({ standing: 'paid' }, [own]).ctx);
    expect(await stored()).toMatchObject([{ intent_id: own, payout_id: 'po_1', standing: 'paid' }]);
  });
});

function listing(lines: Transaction[]): Pick<ReconciliationWorld, 'listTransactions'> {
  return {
    async *listTransactions(from, to) {
      for (const line of lines)
        if (line.at >= from && line.at < to) yield await Promise.resolve(line);
    },
  };
}

describe('the hourly reconciliation', () => {
  test('settles what the gateway knows, and raises an alarm for what stays unknown for more than 15 minutes (I7)', async () => {
    const [known, stuck] = [await openIntent(40), await openIntent(16)];
    await openIntent(14);
    const lookup: Context['gateway']['lookup'] = (reference) =>
      reference === known
        ? Promise.resolve({ outcome: 'declined', message: 'No.', isHard: false })
        : Promise.reject(new Error('away'));
    const ctx = { ...api.ctx, gateway: { ...api.ctx.gateway, lookup } };
    for (let run = 0; run < 2; run++)
      await expect(reconcileOpenIntents(ctx)).rejects.toThrow('could not be resolved');
    expect(await alarms()).toEqual([
      { kind: 'payment_unknown', facts: expect.objectContaining({ payment: stuck }) },
    ]);
    const { state } = await getRow(api.owner, 'payment_intents', 'state', { id: known });
    expect(state).toBe('declined');
  });
});

async function openIntent(minutes: number): Promise<string> {
  const id = randomUUID();
  await insertIntent({
    id,
    type: 'creditCard',
    state: 'unknown',
    created_at: new Date(now.getTime() - minutes * 60_000),
  });
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: of.tenantId,
    unit: { facility_id: of.facilityId, name: id },
  });
  await addRows(api.owner, 'payment_intent_ledgers', {
    intent_id: id,
    ledger_id: ledgerId,
    amount_cents: 100,
    state: 'unknown',
  });
  return id;
}

async function insertIntent(row: {
  id: string;
  type: 'creditCard' | 'ach';
  state: 'unknown' | 'settled';
  receipt_number?: string;
  created_at: Date;
}): Promise<void> {
  await addRows(api.owner, 'payment_intents', {
    ...row,
    tenant_id: of.tenantId,
    method_description: 'Visa ending in 4242',
    amount_cents: 100,
    debt_key: Buffer.from(row.id),
    attempt: 1,
    updated_at: row.created_at,
  });
}
