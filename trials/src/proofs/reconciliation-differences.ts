import { openDatabase } from '@gatehouse/server/src/db/database.ts';
import { makeReconciliationWorld } from '@gatehouse/server/src/features/reconciliation/reconciliation.fixture.ts';
import { reconcileDay } from '@gatehouse/server/src/features/reconciliation/reconciliation.ts';

import { clockAt, contextOn, makeWorld } from '../models/world.ts';
import { createModelGateway } from '../models/model-gateway.ts';
import { mustBe, reported, type Proof } from '../harness/proof.ts';

const CLASSES = ['gateway_only', 'ledger_only', 'amount', 'status', 'duplicate'] as const;
const DAY = '2026-11-18';

/**
 * A day of payments on both sides, most of them alike: the daily reconciliation must find what is
 * not, and nothing else.
 */
export const reconciliationDifferences: Proof<{ clean: number; each: number }> = {
  name: 'R14',
  title: 'Reconciliation finds and classes every difference and no other',
  sizes: { small: { clean: 1000, each: 4 }, full: { clean: 100_000, each: 200 } },
  async run({ clean, each }, seed, stage) {
    const database = await (await stage.cluster()).newDatabase();
    const world = await makeWorld(database.owner, {
      movedInOn: '2026-01-01',
      renters: 1,
      rentals: 1,
    });
    const [{ tenantId, rentals }] = world.renters as [(typeof world.renters)[number]];
    const of = { tenantId, ledgerId: rentals[0]!.ledgerId };
    const sides = await makeReconciliationWorld(database.owner, of, {
      clean,
      each,
      seed: `reconciliationDifferences ${seed}`,
      day: DAY,
    });
    const clock = clockAt('2026-11-20T12:00:00Z');
    const gateway = { ...createModelGateway(clock), listTransactions: sides.listTransactions };
    const db = openDatabase(database.url, () => {});
    const ctx = contextOn({ db, clock, gateway });
    const begun = performance.now();
    const run = await reconcileDay(ctx, sides.from, sides.to);
    const seconds = (performance.now() - begun) / 1000;
    const again = await reconcileDay(ctx, sides.from, sides.to);
    const rows = await db.selectFrom('differences').select(['class', 'reference']).execute();
    const found = new Set(rows.map((row) => `${row.class} ${row.reference}`));
    const alarms = await db.selectFrom('alarms').select('kind').execute();
    await db.destroy();
    await database.close();
    return [
      mustBe('lines compared', run.compared, clean + each * CLASSES.length),
      ...CLASSES.map((name) =>
        mustBe(`differences found of the class ${name}`, run.found[name], each),
      ),
      mustBe(
        'differences not found, or in another class',
        [...sides.expected].filter((one) => !found.has(one)).length,
        0,
      ),
      mustBe('false differences', [...found].filter((one) => !sides.expected.has(one)).length, 0),
      mustBe(
        'differences found anew by a second run',
        Object.values(again.found).reduce((sum, count) => sum + count, 0),
        0,
      ),
      mustBe('alarms over both runs', alarms.length, 1),
      reported('seconds of the run', seconds, 'max'),
      reported('peak memory of this process in MB', process.resourceUsage().maxRSS / 1024, 'max'),
    ];
  },
};
