import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWebhookGate } from '#adapters/gate/webhook-gate.ts';
import type { Context } from '#context/context.ts';
import {
  authorizePersonFor,
  endAuthorizationOf,
} from '#features/service/gate-access/authorized-persons.ts';
import { makeTransfers } from '#features/rentals/rentals/transfer.ts';
import { openLog } from '#telemetry/log.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp, openTestApp, signIn } from '#test/app.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { askForWholePush, pushToGates } from './push.ts';
import { patience } from '#test/patience.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

type Unit = {
  unit: string;
  access: {
    code: string;
    otherCodes?: string[];
    scheduleId: number;
    suspended: boolean;
  } | null;
};
type Message = { type: string; facility: string; sequence: number; units: Unit[] };

let now: number;
const api = useTestApp('empty_template', { clock: { now: () => new Date(now) } });
let ctx: Context;
let receiver: Receiver;
let facilityId: string;
let tenantId: string;
beforeEach(async () => {
  now = Date.parse('2026-11-21T12:00:00Z');
  for (const table of [
    ...([
      'gate_pushes',
      'gate_controllers',
      'gate_codes',
      'authorized_persons',
      'past_units',
      'ledgers',
      'units',
      'tenants',
    ] as const),
    ...(['alarms', 'facilities', 'corporations'] as const),
  ])
    await api.owner.deleteFrom(table).execute();
  receiver = await openReceiver('a-secret');
  ctx = { ...api.ctx, gate: gateAt(receiver) };
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
});
afterEach(() => receiver.close());

const gateAt = ({ url }: Receiver) =>
  createWebhookGate({ url, secret: 'a-secret', isPrivateRefused: false });
const seconds = (count: number) => (now += count * 1000);

async function rent(
  unit: string,
  code: string,
  of: { facilityId: string; tenantId: string } = { facilityId, tenantId },
) {
  const made = await makeLedger(api.owner, ctx.vault, {
    tenant_id: of.tenantId,
    unit: { facility_id: of.facilityId, name: unit },
  });
  await setCode(made.ledgerId, code);
  return made;
}

const setCode = (ledgerId: string, code: string) =>
  changeRows(
    api.owner,
    'gate_codes',
    { access_code: ctx.vault.seal('gateCode', ledgerId, code) },
    { ledger_id: ledgerId },
  );
const change = (
  id: string,
  values: { balance_cents?: number; gate_schedule_id?: number; moved_out_on?: string },
) => changeRows(api.owner, 'ledgers', values, { id });

/**
 * Moves the clock half a minute, pushes, and returns the messages, each unit as `A101 4821# 1
 * suspended`.
 */
async function pushAll(): Promise<{ type: string; facility: string; units: string[] }[]> {
  seconds(31);
  const before = receiver.received.length;
  await pushToGates(ctx);
  return receiver.received.slice(before).map(({ message, isSigned }) => {
    expect(isSigned).toBe(true);
    const { type, facility, units } = message as Message;
    const textOf = ({ unit, access }: Unit) =>
      access === null
        ? `${unit} none`
        : `${unit} ${access.code} ${access.scheduleId}${access.suspended ? ' suspended' : ''}`;
    return { type, facility, units: units.map(textOf) };
  });
}

const alarms = () =>
  api.owner.selectFrom('alarms').select(['kind', 'facts']).orderBy('raised_at').execute();

describe('a gate', () => {
  test('receives everything at first, and nothing again while nothing changes', async () => {
    await rent('A101', '0001#');
    await change((await rent('A102', '0002#')).ledgerId, { balance_cents: 500 });
    expect(await pushAll()).toEqual([
      {
        type: 'gate.state',
        facility: 'TXDFW03',
        units: ['A101 0001# 1', 'A102 0002# 1 suspended'],
      },
    ]);
    expect(await pushAll()).toEqual([]);
  });

  test('receives changes of the balance, schedule, code, move-out and tenant within a minute', async () => {
    const { ledgerId, unitId } = await rent('A101', '0001#');
    await rent('A102', '0002#');
    await pushAll();
    const pushedAfter = async (work: Promise<unknown>) => {
      await work;
      return (await pushAll()).flatMap(({ type, units }) =>
        type === 'gate.changes' ? units : [type],
      );
    };
    expect(await pushedAfter(change(ledgerId, { balance_cents: 1 }))).toEqual([
      'A101 0001# 1 suspended',
    ]);
    expect(await pushedAfter(change(ledgerId, { balance_cents: 0 }))).toEqual(['A101 0001# 1']);
    expect(await pushedAfter(change(ledgerId, { balance_cents: -500 }))).toEqual([]);
    expect(await pushedAfter(change(ledgerId, { gate_schedule_id: 2 }))).toEqual(['A101 0001# 2']);
    expect(await pushedAfter(setCode(ledgerId, '9999#'))).toEqual(['A101 9999# 2']);
    // The move-out is in the future.
    expect(await pushedAfter(change(ledgerId, { moved_out_on: '2026-11-25' }))).toEqual([]);
    expect(await pushedAfter(change(ledgerId, { moved_out_on: '2026-11-20' }))).toEqual([
      'A101 none',
    ]);
    const next = api.owner
      .insertInto('ledgers')
      .values({
        tenant_id: tenantId,
        unit_id: unitId,
        rental_rate_cents: 100,
        gate_schedule_id: 0,
        moved_in_on: '2026-11-21',
        paid_through: '2026-11-20',
        billing_day: 21,
        billed_through: '2026-11-20',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) =>
        addRows(api.owner, 'gate_codes', {
          ledger_id: id,
          access_code: ctx.vault.seal('gateCode', id, '7777#'),
        }),
      );
    expect(await pushedAfter(next)).toEqual(['A101 7777# 0']);
    expect(await pushAll()).toEqual([]);
  });

  test('goes by who rents each unit on the day of a transfer, from midnight on', async () => {
    const { ledgerId, unitId } = await rent('A101', '0001#');
    const { id: otherUnit } = await api.owner
      .insertInto('units')
      .values({
        facility_id: facilityId,
        name: 'A102',
        width_feet: 12,
        length_feet: 40,
        type_name: 'RV',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await changeRows(
      api.owner,
      'ledgers',
      { transfer_unit_id: otherUnit, transfer_on: '2026-11-22' },
      { id: ledgerId },
    );
    const next = await makeLedger(api.owner, ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name: 'A103' },
      unit_id: unitId,
      moved_in_on: '2026-11-22',
    });
    await setCode(next.ledgerId, '7777#');
    expect(await pushAll()).toMatchObject([{ type: 'gate.state', units: ['A101 0001# 1'] }]);
    // Half an hour after midnight in Chicago; the transfer itself is made in the morning.
    now = Date.parse('2026-11-22T06:30:00Z');
    expect(await pushAll()).toMatchObject([
      { type: 'gate.changes', units: ['A101 7777# 1', 'A102 0001# 1'] },
    ]);
    await makeTransfers(ctx, { facilityId, date: '2026-11-22' });
    expect(await pushAll()).toEqual([]);
  });

  test('learns and forgets the codes of further persons with their days, the lock and the rental', async () => {
    const { ledgerId } = await rent('A101', '0001#');
    await rent('A102', '0002#');
    await pushAll();
    const codes = async () => {
      seconds(31);
      const before = receiver.received.length;
      await pushToGates(ctx);
      return receiver.received
        .slice(before)
        .flatMap(({ message }) =>
          (message as Message).units.map(({ unit, access }) => [
            unit,
            access && [access.code, ...(access.otherCodes ?? []), access.suspended],
          ]),
        );
    };
    const authorize = (rest: object) =>
      authorizePersonFor(ctx, staffCall(), { ledgerId, name: 'Ada Okafor', ...rest });
    await authorize({ gateCode: '7001#', lastOn: '2026-11-22' });
    const { personId } = await authorize({ gateCode: '7002#' });
    const [[unit, access] = []] = await codes();
    expect([unit, (access as unknown[]).toSorted()]).toEqual([
      'A101',
      ['0001#', '7001#', '7002#', false].toSorted(),
    ]);
    expect(await codes()).toEqual([]);
    await change(ledgerId, { balance_cents: 500 });
    expect(await codes()).toMatchObject([['A101', { length: 4, 3: true }]]);
    // Half an hour after midnight in Chicago of the day after the last one.
    now = Date.parse('2026-11-23T06:30:00Z');
    expect(await codes()).toEqual([['A101', ['0001#', '7002#', true]]]);
    await endAuthorizationOf(ctx, staffCall(), { personId });
    expect(await codes()).toEqual([['A101', ['0001#', true]]]);
    await authorize({ gateCode: '7003#' });
    await change(ledgerId, { moved_out_on: '2026-11-23' });
    expect(await codes()).toEqual([['A101', null]]);
  });

  test('suspends a unit that the portal locks out', async () => {
    const balances = [-1, 0, 1, 100];
    for (const balance_cents of balances)
      await change((await rent(`A${balance_cents}`, '0001#')).ledgerId, { balance_cents });
    const [message] = await pushAll();
    const expected = balances.map((cents) => `A${cents} 0001# 1${cents > 0 ? ' suspended' : ''}`);
    expect(message?.units.toSorted()).toEqual(expected.toSorted());
  });

  test('receives changes that exceed one message in several', async () => {
    await rent('A101', '0001#');
    await pushAll();
    const ledgers = await sql<{ id: string }>`
      WITH unit AS (
        INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
        SELECT ${facilityId}, 'B' || n, 10, 10, 'RV' FROM generate_series(1, 700) n RETURNING id
      )
      INSERT INTO ledgers (tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on, paid_through,
        billing_day, billed_through)
      SELECT ${tenantId}, id, 100, 1, '2026-11-01', '2026-10-31', 1, '2026-10-31' FROM unit RETURNING id`.execute(
      api.owner,
    );
    const codes = ledgers.rows.map(({ id }) => ({
      ledger_id: id,
      access_code: ctx.vault.seal('gateCode', id, '1#'),
    }));
    await addRows(api.owner, 'gate_codes', codes);
    expect((await pushAll()).map(({ units }) => units.length)).toEqual([500, 200]);
    expect(await pushAll()).toEqual([]);
  });

  test('receives everything when its controller has changed', async () => {
    await rent('A101', '0001#');
    await pushAll();
    await receiver.close();
    receiver = await openReceiver('a-secret');
    ctx = { ...ctx, gate: gateAt(receiver) };
    expect((await pushAll()).map(({ type }) => type)).toEqual(['gate.state']);
  });

  test('receives the other units where a code cannot be opened, and raises one alarm for it', async () => {
    const { ledgerId } = await rent('A101', '0001#');
    const other = await rent('A102', '0002#');
    await api.sql`UPDATE gate_codes SET access_code = (SELECT access_code FROM gate_codes WHERE ledger_id = ${other.ledgerId})
      WHERE ledger_id = ${ledgerId}`;
    expect((await pushAll()).flatMap(({ units }) => units)).toEqual(['A102 0002# 1']);
    await askForWholePush(ctx);
    await pushAll();
    expect(await alarms()).toEqual([
      { kind: 'gate_code_sealed', facts: { ledger: ledgerId, unit: 'A101' } },
    ]);
  });
});

describe('a controller that is unavailable', () => {
  test('is retried with growing delays, raises one alarm after 15 minutes, and receives everything in the end', async () => {
    await rent('A101', '0001#');
    receiver.answer(() => ({ status: 500 }));
    const failedAt: number[] = [];
    while (now < Date.parse('2026-11-21T12:20:00Z')) {
      // A new adapter each time, because its breaker has a clock of its own.
      await pushToGates({ ...ctx, gate: gateAt(receiver) });
      failedAt.push(now);
      const next = await getRow(api.owner, 'gate_controllers', 'next_at');
      now = next.next_at.getTime();
    }
    expect(receiver.received).toHaveLength(failedAt.length);
    const waits = failedAt.slice(1).map((at, index) => (at - failedAt[index]!) / 1000);
    expect(waits.slice(0, 7)).toEqual([5, 10, 20, 40, 80, 160, 300]);
    expect(await alarms()).toEqual([
      { kind: 'gate_behind', facts: { facility: 'TXDFW03', since: '2026-11-21T12:00:00.000Z' } },
    ]);
    receiver.answer(() => ({ status: 204 }));
    seconds(300);
    expect((await pushAll()).flatMap(({ units }) => units)).toEqual(['A101 0001# 1']);
  });

  // spec 10.81
  test('raises the alarm at once where it refuses the server, and receives everything in the end', async () => {
    await rent('A101', '0001#');
    receiver.answer(() => ({ status: 401 }));
    await pushAll();
    expect(await alarms()).toMatchObject([{ kind: 'gate_behind' }]);
    receiver.answer(() => ({ status: 204 }));
    seconds(5);
    expect((await pushAll()).flatMap(({ units }) => units)).toEqual(['A101 0001# 1']);
  });

  test('does not delay other facilities, and no code is logged', async () => {
    const other = await makeFacility(api.owner, { location_code: 'AZPHX01' });
    const theirs = await makeTenant(api.owner, { facility_id: other });
    await rent('A101', '4821937#');
    await rent('P1', '0002#', { facilityId: other, tenantId: theirs });
    receiver.answer((message) => ({
      status: message.facility === 'TXDFW03' ? 500 : 204,
      body: message,
    }));
    const lines = new PassThrough();
    ctx = { ...ctx, log: openLog('debug', lines) };
    await pushAll();
    const pushed = await findRows(api.owner, 'gate_pushes', 'unit_name');
    expect(pushed).toEqual([{ unit_name: 'P1' }]);
    const log = String(lines.read());
    expect(log).toContain('pushing to a gate failed');
    expect(log).not.toContain('4821937');
  });
});

describe('several processes', () => {
  test('push to each facility once', async () => {
    await rent('A101', '0001#');
    seconds(31);
    await Promise.all(Array.from({ length: 4 }, () => pushToGates(ctx)));
    expect(receiver.received).toHaveLength(1);
  });

  test('do not overwrite what a later process pushed, however late an answer arrives', async () => {
    const { ledgerId } = await rent('A101', '0001#');
    await pushAll();
    await change(ledgerId, { balance_cents: 1 });
    seconds(31);
    const late = Promise.withResolvers<undefined>();
    const { gate } = ctx;
    const slow = pushToGates({ ...ctx, gate: { ...gate!, push: () => late.promise } });
    await vi.waitFor(async () => {
      const { leased_until } = await getRow(api.owner, 'gate_controllers', 'leased_until');
      expect(leased_until).not.toBeNull();
    }, patience);
    await change(ledgerId, { balance_cents: 0, gate_schedule_id: 2 });
    seconds(46);
    expect((await pushAll()).flatMap(({ units }) => units)).toEqual(['A101 0001# 2']);
    late.resolve(undefined);
    await slow;
    expect(await pushAll()).toEqual([]);
    const row = await api.owner.selectFrom('gate_pushes').selectAll().executeTakeFirstOrThrow();
    expect([row.is_suspended, row.gate_schedule_id]).toEqual([false, 2]);
  });
});

describe('at night', () => {
  test('a gate receives everything, and a difference that it reports raises an alarm', async () => {
    await rent('A101', '0001#');
    const { ledgerId } = await rent('A102', '0002#');
    await pushAll();
    await change(ledgerId, { balance_cents: 1 });
    receiver.answer(() => ({ body: { differed: ['A101', 'A102', 'Z9'] } }));
    await askForWholePush(ctx);
    expect(await pushAll()).toEqual([
      {
        type: 'gate.state',
        facility: 'TXDFW03',
        units: ['A101 0001# 1', 'A102 0002# 1 suspended'],
      },
    ]);
    // The change of A102 had not been pushed yet, and Z9 is not a unit of ours.
    expect(await alarms()).toEqual([
      { kind: 'gate_differs', facts: { facility: 'TXDFW03', units: ['A101'], count: 1 } },
    ]);
    expect(await pushAll()).toEqual([]);
  });

  test('a gate that reports no differences raises no alarm', async () => {
    await rent('A101', '0001#');
    for (const body of [{ differed: [] }, undefined]) {
      await pushAll();
      receiver.answer(() => ({ body }));
      await askForWholePush(ctx);
      expect(await pushAll()).toHaveLength(1);
    }
    expect(await alarms()).toEqual([]);
  });
});

test('a payment opens the gate again', async () => {
  const demo = await openTestApp('demo_template');
  const { token, prefix, tenantIds } = await signIn(demo, 'dana@example.com');
  const mine = { ...demo.ctx, gate: gateAt(receiver) };
  await pushToGates(mine);
  const { body: ledgers } = await demo.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, {
    token,
  });
  const { id, unitId, unitName, balance } = (
    ledgers as { id: string; unitId: string; unitName: string; balance: number }[]
  ).find((ledger) => ledger.balance > 0)!;
  const card = {
    cardType: 'Visa',
    cardNumber: '4242424242424242',
    cardCvv: '123',
    expirationMonth: '04',
    expirationYear: '2030',
    name: 'Dana Reyes',
    postalCode: '76020',
  };
  const paid = await demo.call('POST', `${prefix}/tenants/${tenantIds[0]}/payments`, {
    token,
    body: { payments: [{ ledgerId: id, unitId, amount: balance }], creditCard: card },
  });
  expect(paid.status).toBe(200);
  await changeRows(demo.owner, 'gate_controllers', { next_at: new Date(0) });
  const before = receiver.received.length;
  await pushToGates(mine);
  const pushed = receiver.received
    .slice(before)
    .flatMap(({ message }) => (message as Message).units);
  expect(pushed).toEqual([
    expect.objectContaining({
      unit: unitName,
      access: expect.objectContaining({ suspended: false }),
    }),
  ]);
  await demo.close();
});
