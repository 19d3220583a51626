import { expect, test } from 'vitest';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { describeGate } from './gate.contract.ts';
import { createWebhookGate } from './webhook-gate.ts';

type Unit = {
  unitId: string;
  unit: string;
  access: { code: string; scheduleId: number; schedule: string; suspended: boolean } | null;
};
type Message = { type: string; facility: string; sequence: number; units: Unit[] };

/**
 * A controller's software, written from docs/gate.md: it stores units by id and ignores messages
 * older than the last.
 */
class Controller {
  readonly facilities = new Map<string, { sequence: number; units: Map<string, Unit> }>();

  take(message: Message): { status?: number; body?: unknown } {
    if (message.type === 'gate.ping') return { status: 204 };
    const had = this.facilities.get(message.facility) ?? {
      sequence: 0,
      units: new Map<string, Unit>(),
    };
    if (message.sequence <= had.sequence) return { status: 204 };
    const units = message.type === 'gate.state' ? new Map<string, Unit>() : new Map(had.units);
    for (const unit of message.units)
      if (unit.access === null) units.delete(unit.unitId);
      else units.set(unit.unitId, unit);
    this.facilities.set(message.facility, { sequence: message.sequence, units });
    if (message.type !== 'gate.state') return { status: 204 };
    const ids = new Set([...had.units.keys(), ...units.keys()]);
    const differed = [...ids].filter(
      (id) => JSON.stringify(had.units.get(id)) !== JSON.stringify(units.get(id)),
    );
    return {
      body: { differed: differed.map((id) => (units.get(id) ?? had.units.get(id))!.unit).sort() },
    };
  }

  unitsOf(facility: string): Unit[] {
    return [...(this.facilities.get(facility)?.units.values() ?? [])];
  }
}

const gateAt = ({ url }: Receiver) =>
  createWebhookGate({ url, secret: 'a-secret', isPrivateRefused: false });

describeGate('webhook', async () => {
  const controller = new Controller();
  const receiver = await openReceiver('a-secret');
  const works = (message: object) => controller.take(message as Message);
  receiver.answer(works);
  return {
    gate: gateAt(receiver),
    known: (facility) =>
      Promise.resolve(
        controller
          .unitsOf(facility)
          .map(
            ({ unit, access }) =>
              `${unit}${access!.suspended ? ' suspended' : ''} on schedule ${access!.scheduleId}`,
          )
          .sort(),
      ),
    opens: (facility, { unitId }, code) =>
      Promise.resolve(
        controller
          .unitsOf(facility)
          .some((unit) => unit.unitId === unitId && unit.access?.code === code),
      ),
    async whileDown(work) {
      receiver.answer(() => ({ status: 503 }));
      await work();
      receiver.answer(works);
    },
    close: () => receiver.close(),
  };
});

const message = { facility: 'TXDFW03', sequence: 7, at: new Date('2026-11-21T12:00:00Z') };
const units = [
  {
    unitId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a',
    unit: 'A101',
    access: { code: '4821#', scheduleId: 1, schedule: 'Business Hours', isSuspended: true },
  },
  { unitId: '0d6f5c31-8f0e-4bb0-9d57-0f1b8a3c2e11', unit: 'B207', access: null },
];

test('a message is signed JSON in the format of docs/gate.md', async () => {
  const receiver = await openReceiver('a-secret');
  await gateAt(receiver).push(message, units, () => Promise.resolve([]));
  expect(receiver.received.map(({ message, isSigned }) => ({ message, isSigned }))).toEqual([
    {
      isSigned: true,
      message: {
        type: 'gate.changes',
        facility: 'TXDFW03',
        sequence: 7,
        at: '2026-11-21T12:00:00.000Z',
        units: [
          {
            unitId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a',
            unit: 'A101',
            access: { code: '4821#', scheduleId: 1, schedule: 'Business Hours', suspended: true },
          },
          { unitId: '0d6f5c31-8f0e-4bb0-9d57-0f1b8a3c2e11', unit: 'B207', access: null },
        ],
      },
    },
  ]);
  await receiver.close();
});

test('a ping is signed, and names no facility', async () => {
  const receiver = await openReceiver('a-secret');
  await gateAt(receiver).ping();
  expect(receiver.received).toMatchObject([{ isSigned: true, message: { type: 'gate.ping' } }]);
  expect(Object.keys(receiver.received[0]!.message)).toEqual(['type', 'at']);
  await receiver.close();
});

test.each([
  ['nothing', undefined],
  ['something else', { ok: true }],
  ['a value that is not a list', { differed: 'A101' }],
])('a controller that answers %s to all units reports no differences', async (_, body) => {
  const receiver = await openReceiver('a-secret');
  receiver.answer(() => ({ status: 200, body }));
  expect(await gateAt(receiver).replace(message, units)).toBeNull();
  await receiver.close();
});

test('a controller that fails five times in a row is not called for a while', async () => {
  const receiver = await openReceiver('a-secret');
  receiver.answer(() => ({ status: 500 }));
  const gate = gateAt(receiver);
  for (let round = 0; round < 7; round += 1)
    await expect(gate.push(message, units, () => Promise.resolve([]))).rejects.toThrow(
      'cannot be reached',
    );
  expect(receiver.received).toHaveLength(5);
  await receiver.close();
});
