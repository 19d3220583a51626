import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '#test/test-day.ts';
import { GateUnavailable, type GateController, type GateUnit } from './controller.ts';

/** A gate under test, with access to its own state and a way to make it fail. */
export type GateUnderTest = {
  gate: GateController;
  /**
   * The units that the gate has stored for a facility: `A101 on schedule 1`, or `A101 suspended on
   * schedule 1`; sorted.
   */
  known(facility: string): Promise<string[]>;
  /** Whether the gate would open for the code of a unit. */
  opens(facility: string, unit: GateUnit, code: string): Promise<boolean>;
  /** Runs the work while the controller is unavailable. */
  whileDown(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

const unitOf = (unit: string, access: Partial<NonNullable<GateUnit['access']>> = {}): GateUnit => ({
  unitId: randomUUID(),
  unit,
  access: {
    code: '0482#',
    scheduleId: 1,
    schedule: 'Business Hours',
    isSuspended: false,
    ...access,
  },
});

/** The tests that every gate controller passes. */
export function describeGate(name: string, open: () => Promise<GateUnderTest>): void {
  describe(`the ${name} gate`, () => {
    let under: GateUnderTest;
    let sequence = 0;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const message = (facility: string) => ({
      facility,
      sequence: (sequence += 1),
      at: testClock.now(),
    });
    const push = (facility: string, changes: GateUnit[], all: GateUnit[]) =>
      under.gate.push(message(facility), changes, () => Promise.resolve(all));
    const replace = (facility: string, units: GateUnit[]) =>
      under.gate.replace(message(facility), units);

    test('stores the units that were pushed, each with code, schedule and whether it is suspended', async () => {
      const units = [unitOf('A101'), unitOf('B "2", x', { scheduleId: 2, isSuspended: true })];
      await push('F1', units, units);
      expect(await under.known('F1')).toEqual([
        'A101 on schedule 1',
        'B "2", x suspended on schedule 2',
      ]);
      expect(await under.opens('F1', units[0]!, '0482#')).toBe(true);
      expect(await under.opens('F1', units[0]!, '482#')).toBe(false);
    });

    test('applies a change of one unit, also twice, and keeps the others', async () => {
      const [one, other] = [unitOf('A1'), unitOf('A2')];
      await push('F2', [one, other], [one, other]);
      const changed = { ...one, access: { ...one.access!, code: '9999#', isSuspended: true } };
      for (let round = 0; round < 2; round += 1) await push('F2', [changed], [changed, other]);
      expect(await under.known('F2')).toEqual(['A1 suspended on schedule 1', 'A2 on schedule 1']);
      expect(await under.opens('F2', changed, '9999#')).toBe(true);
      expect(await under.opens('F2', changed, '0482#')).toBe(false);
    });

    test('removes a unit whose access has ended', async () => {
      const [one, other] = [unitOf('A1'), unitOf('A2')];
      await push('F3', [one, other], [one, other]);
      await push('F3', [{ ...one, access: null }], [other]);
      expect(await under.known('F3')).toEqual(['A2 on schedule 1']);
    });

    test('keeps the facilities apart', async () => {
      const one = unitOf('A1');
      await push('F4', [one], [one]);
      await replace('F5', []);
      expect([await under.known('F4'), await under.known('F5')]).toEqual([
        ['A1 on schedule 1'],
        [],
      ]);
    });

    test('replaces its state by all units, and reports the units that differed', async () => {
      const [same, changed, gone, added] = [unitOf('A1'), unitOf('A2'), unitOf('A3'), unitOf('A4')];
      await push('F6', [same, changed, gone], [same, changed, gone]);
      const units = [same, { ...changed, access: { ...changed.access!, code: '7#' } }, added];
      expect(await replace('F6', units)).toEqual(['A2', 'A3', 'A4']);
      expect(await under.known('F6')).toEqual([
        'A1 on schedule 1',
        'A2 on schedule 1',
        'A4 on schedule 1',
      ]);
      expect(await replace('F6', units)).toEqual([]);
    });

    test('answers a ping without changing its state', async () => {
      const one = unitOf('A1');
      await push('F8', [one], [one]);
      await under.gate.ping();
      expect(await under.known('F8')).toEqual(['A1 on schedule 1']);
    });

    test('throws GateUnavailable while it is down, and works again afterwards', async () => {
      const one = unitOf('A1');
      await under.whileDown(async () => {
        await expect(under.gate.ping()).rejects.toBeInstanceOf(GateUnavailable);
        await expect(push('F7', [one], [one])).rejects.toBeInstanceOf(GateUnavailable);
        await expect(replace('F7', [one])).rejects.toBeInstanceOf(GateUnavailable);
      });
      await push('F7', [one], [one]);
      expect(await under.known('F7')).toEqual(['A1 on schedule 1']);
    });
  });
}
