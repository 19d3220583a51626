import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startApp, type AppProcess } from '../harness/app-process.ts';
import { NOTICE_MS, openBalancer } from '../harness/balancer.ts';
import { readLedgers } from '../harness/calls.ts';
import { freePort } from '../harness/free-port.ts';
import { openFixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { randomOf } from '../harness/random.ts';
import { judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';

const SERVERS = 2;
/** One request in this many is a payment, the others are reads. */
const PAYMENT_IN = 5;
/**
 * How long a stopping server keeps serving: two seconds longer than the balancer needs to notice
 * (D33).
 */
const DRAIN_SECONDS = NOTICE_MS / 1000 + 2;
const FINISH_SECONDS = 25;
/** How long a server serves before the other is stopped. */
const BETWEEN_MS = 1000;
const FULL = 20;

/**
 * R9: one server after the other is stopped and started again behind a balancer, while tenants read
 * and pay.
 */
export const rollingRestarts: Proof<{ restarts: number; perSecond: number }> = {
  name: 'R9',
  title: 'Rolling restarts of two servers behind a balancer',
  sizes: { small: { restarts: 2, perSecond: 15 }, full: { restarts: FULL, perSecond: 100 } },
  async run({ restarts, perSecond }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 0,
      world: { payers: 40 + 20 * restarts, rentals: 5, owedCents: () => 90_000_000 },
      env: { DRAIN_SECONDS: String(DRAIN_SECONDS) },
    });
    const { driver, payers, settings, db } = fixture;
    const ports = [await freePort(), await freePort()];
    const apps = ports.map((port) => startApp({ ...settings, port }));
    const balancer = await openBalancer(ports.map((port) => `http://127.0.0.1:${port}`));
    for (const app of apps) await ready(app);
    await Promise.all(apps.map(({ address }) => balancer.untilUp(address)));

    const failed: object[] = [];
    driver.caller.onAnswer = (answer) => {
      if (answer.status !== 200) failed.push(answer);
    };
    let payments = 0;
    const isFull = restarts >= FULL;
    const load = new SteadyLoad(
      perSecond,
      (number) =>
        number % PAYMENT_IN > 0
          ? driver.caller.call(balancer.url, readLedgers(random.pick(payers)))
          : driver.send(balancer.url, nextOrder(random, payers, (payments += 1))),
      isFull ? Infinity : perSecond,
    );
    let slowestStop = 0;
    let unclean = 0;
    for (let restart = 0; restart < restarts; restart += 1) {
      await delay(BETWEEN_MS);
      const index = restart % SERVERS;
      const begun = performance.now();
      await apps[index]!.stop();
      slowestStop = Math.max(slowestStop, (performance.now() - begun) / 1000);
      if (apps[index]!.exitCode !== 0) unclean += 1;
      apps[index] = startApp({ ...settings, port: ports[index]! });
      await ready(apps[index]);
      await balancer.untilUp(apps[index].address);
    }
    await delay(BETWEEN_MS);
    await load.stop();
    for (const answer of failed)
      await appendFile(
        join(stage.folder, `failed-${db.name}.jsonl`),
        `${JSON.stringify(answer)}\n`,
      );
    await Promise.all(apps.map((app) => app.stop()));
    await balancer.close();
    return [
      mustBe('servers stopped and started again', restarts, restarts),
      mustBe('requests that failed', failed.length, 0),
      mustBe('requests that the balancer could not forward', balancer.faults.length, 0),
      mustBe('servers that did not end cleanly', unclean, 0),
      ...(await fixture.check()),
      judgedIf(
        isFull,
        mustBeAtMost(
          'seconds until a server was gone',
          slowestStop,
          DRAIN_SECONDS + FINISH_SECONDS,
        ),
      ),
      reported('requests', load.sent),
      reported('payments', payments),
    ];
  },
};

async function ready(app: AppProcess): Promise<void> {
  if (!(await app.ready)) throw new Error('a server did not start: see servers.log');
}
