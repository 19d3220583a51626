import { setTimeout as delay } from 'node:timers/promises';
import { pay as payCall, readLedgers } from '../harness/calls.ts';
import { centOrders, turns } from '../harness/orders.ts';
import { Flood, shotOf, type Hit, type Shot } from '../harness/flood.ts';
import { openFixture } from '../harness/fixture.ts';
import { quantileOf } from '../harness/statistics.ts';
import {
  judgedIf,
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Proof,
} from '../harness/proof.ts';

const TIMES = 5;
/** Payments come as in a busy hour all the while; what multiplies is reads. */
const PAYMENTS_A_SECOND = 3;
const CONNECTIONS = 600;
const CLOSED_CONNECTIONS = 24;
const GOODPUT = 0.8;
const RECOVERY_SECONDS = 10;
/** A read that is answered within this is as good as ever, three times in a row. */
const WELL_MS = 500;
/**
 * From this many seconds on the figures of time must hold: below, the other tests of `npm test`
 * decide them.
 */
const FULL = 300;

/** R20: five times as many reads as can be answered, with payments among them. */
export const overload: Proof<{ seconds: number }> = {
  name: 'R20',
  title: 'Five times the load that can be served: reads give way, payments do not',
  sizes: { small: { seconds: 5 }, full: { seconds: FULL } },
  async run({ seconds }, _seed, stage) {
    await using fixture = await openFixture(stage, {
      env: { SHED_LOAD: 'on' },
      servers: 1,
      world: { payers: 50, rentals: 2, owedCents: () => 50_000_000 },
    });
    const { address } = await fixture.pool.next();
    using closed = new Flood(address, CLOSED_CONNECTIONS);
    using open = new Flood(address, CONNECTIONS);
    using payments = new Flood(address, 100);
    const read = turns(fixture.payers.map((payer) => shotOf('read', readLedgers(payer))));
    const order = centOrders(fixture.payers);
    const pay = () => shotOf('payment', payCall(order()));
    const measured = Math.max(3, Math.min(30, seconds / 2));
    await closed.saturate(1, read);
    const alone = await during(measured, [closed, payments], () =>
      Promise.all([
        closed.saturate(measured, read),
        payments.pour(PAYMENTS_A_SECOND, measured, pay),
      ]),
    );
    const capacity = goodOf(alone).length / measured;
    const flood = await during(seconds, [open, payments], () =>
      Promise.all([
        open.pour(capacity * TIMES, seconds, read),
        payments.pour(PAYMENTS_A_SECOND, seconds, pay),
      ]),
    );
    const recovery = await secondsUntilWell(address, read);
    const paid = flood.filter(({ kind }) => kind === 'payment');
    const asked = flood.length + open.turnedAway + payments.turnedAway;
    const goodput = goodOf(flood).length / seconds / capacity;
    const [share, back] = [
      'answered well, as a share of the capacity',
      'seconds until a read is as fast as ever',
    ];
    const isFull = seconds >= FULL;
    return [
      mustBe(
        'answers that were neither 200 nor a refusal with Retry-After',
        flood.length - goodOf(flood).length,
        0,
      ),
      mustBe('payments refused', payments.turnedAway + paid.length - goodOf(paid).length, 0),
      mustBeAtLeast('reads refused', Math.min(1, open.turnedAway), 1),
      isFull ? mustBeAtLeast(share, goodput, GOODPUT) : reported(share, goodput, 'max'),
      judgedIf(isFull, mustBeAtMost(back, recovery, RECOVERY_SECONDS)),
      reported('capacity, in answers a second', capacity, 'max'),
      reported('asked for, in calls a second', asked / seconds, 'max'),
      reported('refused', open.turnedAway),
      reported('paid', paid.length),
      reported(
        'p95 of the payments, in ms',
        quantileOf(
          paid.map(({ ms }) => ms),
          0.95,
        ),
        'max',
      ),
      ...(await fixture.check()),
    ];
  },
};

/**
 * What came of the shots of these floods while the work went on; what was answered after its time
 * is none of it.
 */
async function during(
  seconds: number,
  floods: Flood[],
  work: () => Promise<unknown>,
): Promise<Hit[]> {
  for (const flood of floods) flood.forget();
  const end = performance.now() + seconds * 1000;
  await work();
  return floods.flatMap(({ hits }) => hits).filter(({ at, status }) => at <= end || status !== 200);
}

function goodOf(hits: Hit[]): Hit[] {
  return hits.filter(({ status }) => status === 200);
}

async function secondsUntilWell(address: string, next: () => Shot): Promise<number> {
  using flood = new Flood(address, 1);
  const begun = performance.now();
  for (let well = 0; well < 3 && performance.now() - begun < 60_000;) {
    flood.forget();
    await flood.saturate(0.001, next);
    const isWell =
      flood.turnedAway === 0 &&
      flood.hits.every(({ status, ms }) => status === 200 && ms < WELL_MS);
    well = isWell ? well + 1 : 0;
    await delay(50);
  }
  return (performance.now() - begun) / 1000;
}
