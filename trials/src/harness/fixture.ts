import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appLogOf } from './app-process.ts';
import { checkPayments } from './checker.ts';
import { Driver } from './driver.ts';
import { reported, mustBe, type Figure, type Stage } from './proof.ts';
import { openSystem, type System, type SystemOptions } from './system.ts';
import { makeWorld, type Payer, type WorldSize } from './world.ts';

/** The fixture of a payment proof: a system with tenants who owe, and the driver. */
export type Fixture = Omit<System<Payer[]>, 'made'> & {
  payers: Payer[];
  driver: Driver;
  /**
   * Compares the three witnesses at the end, when nothing is under way. `expected`: statuses from
   * 500 that are no faults.
   */
  check(expected?: number): Promise<Figure[]>;
};

type Options = SystemOptions & { world: WorldSize };

export async function openFixture(stage: Stage, { world, ...options }: Options): Promise<Fixture> {
  const { made: payers, ...system } = await openSystem(
    stage,
    (owner) => makeWorld(owner, world),
    options,
  );
  const { db, simulator, pool, settings } = system;
  const driver = await Driver.open(join(stage.folder, `driver-${db.name}.jsonl`));
  const close = async () => {
    await system.close();
    await driver.close();
  };
  return {
    ...system,
    payers,
    driver,
    async check(expected) {
      const [journal, lines] = await Promise.all([simulator.journal(), driver.lines()]);
      const faulty = [...driver.statuses]
        .filter(([status]) => status >= 500 && status !== expected)
        .reduce((sum, [, count]) => sum + count, 0);
      return [
        ...(await checkPayments({ owner: db.owner, journal, lines })),
        mustBe(
          `answers of 500 and above${expected === undefined ? '' : ` other than ${expected}`}`,
          faulty,
          0,
        ),
        mustBe('servers that ended by themselves', pool.deaths, 0),
        reported('errors in the servers’ logs', await countErrors(appLogOf(settings))),
      ];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function countErrors(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line.includes('"level":50')).length;
}
