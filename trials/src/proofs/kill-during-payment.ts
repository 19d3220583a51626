import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newAccount, newCard, type Order } from '../harness/orders.ts';
import { sampleOf } from '../harness/sample.ts';
import { openFixture } from '../harness/fixture.ts';
import { OpenWatch } from '../harness/open-watch.ts';
import type { Payer } from '../harness/world.ts';
import { divide, judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { simulatorNumbers } from '../harness/simulator/instruments.ts';

/** Servers on one database, of which one at a time is killed and started again. */
const SERVERS = 3;
/** A kill falls into the first milliseconds, this many, after a handful of payments was begun. */
const KILL_WITHIN_MS = 400;
/** One kill in this many ends every server at once. */
const ALL_AT_ONCE = 12;

/** The kills of a part of the full size, at which times are judged. */
const PART = 50;

/** R1: servers are killed at random while tenants pay, retry and wait. */
export const killDuringPayment: Proof<{ kills: number; payments: number }> = {
  name: 'R1',
  title: 'Random SIGKILL during payments',
  sizes: { small: { kills: 20, payments: 300 }, full: { kills: 500, payments: 10_000 } },
  parts: (size) => divide(size, Math.max(1, Math.round(size.kills / PART))),
  async run(size, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: SERVERS,
      world: {
        payers: Math.min(200, 40 + size.kills * 3),
        rentals: 4,
        owedCents: () => 90_000_000,
      },
    });
    const { pool, driver, db, payers } = fixture;
    const watch = new OpenWatch(db.owner);
    const tasks: Promise<unknown>[] = [];
    let kills = 0;
    while (kills < size.kills) {
      await pool.serve(2);
      const share = Math.round(((kills + 1) * size.payments) / size.kills) - tasks.length;
      for (let count = 0; count < share; count += 1)
        tasks.push(driver.sendUntilFinal(pool, chooseOrder(random, payers, tasks.length)));
      await delay(random.next() * KILL_WITHIN_MS);
      const serving = pool.serving;
      const isAll = random.between(1, ALL_AT_ONCE) === 1;
      const victims = isAll ? serving.slice(0, size.kills - kills) : [random.pick(serving)];
      watch.killed();
      kills += victims.length;
      await Promise.all(victims.map((victim) => pool.kill(victim)));
    }
    await Promise.all(tasks);
    await watch.end();
    const isFull = size.kills >= PART;
    // On a busy machine a server may have no connection for a request in time, and says so.
    const figures = await fixture.check(isFull ? undefined : 503);
    const lost = driver.statuses.get(0) ?? 0;
    return [
      mustBe('servers killed', kills, size.kills),
      mustBe('payments ordered', tasks.length, size.payments),
      ...figures,
      judgedIf(
        isFull,
        mustBeAtMost(
          'seconds from a kill until its payments were resolved',
          watch.worstSeconds,
          60,
        ),
      ),
      reported('payments that were open at a kill', watch.orphans),
      reported('connections lost in the middle of a request', lost),
    ];
  },
};

/** One to three units of a tenant, paid with any kind of method. */
function chooseOrder(random: Random, payers: Payer[], number: number): Order {
  const payer = random.pick(payers);
  return {
    name: `payment ${number}`,
    payer,
    lines: sampleOf(random, payer.rentals, random.between(1, 3)).map(({ ledgerId, unitId }) => ({
      ledgerId,
      unitId,
      cents: random.between(1, 5000),
    })),
    method: random.pick([
      newCard(),
      newCard(),
      newCard(),
      newCard(simulatorNumbers.insufficientFunds),
      newAccount(),
      newAccount(),
      { creditCard: { paymentMethodId: payer.savedCard } },
      { creditCard: { paymentMethodId: payer.savedCard } },
      { ach: { paymentMethodId: payer.savedAccount } },
    ]),
    key: randomUUID(),
  };
}
