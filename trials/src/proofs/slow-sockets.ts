import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Flood, shotOf } from '../harness/flood.ts';
import { readLedgers } from '../harness/calls.ts';
import { openFixture } from '../harness/fixture.ts';
import { turns } from '../harness/orders.ts';
import { quantileOf } from '../harness/statistics.ts';
import { judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';

const READS_A_SECOND = 20;
const QUIET_SECONDS = 5;
/** A byte comes this often. */
const DRIP_MS = 5000;
const CUT_SECONDS = 15;
/** Who is not cut by then is not cut at all. */
const GIVE_UP_MS = 30_000;
/**
 * From so many on the figures of time must hold: below, the other tests of `npm test` decide them.
 */
const FULL = 1000;

/** R18: sockets that hardly send anything, in the headers or in the body, while tenants read. */
export const slowSockets: Proof<{ sockets: number }> = {
  name: 'R18',
  title: 'Slow sockets, a byte every five seconds, under normal load',
  sizes: { small: { sockets: 100 }, full: { sockets: FULL } },
  async run({ sockets }, _seed, stage) {
    await using fixture = await openFixture(stage, {
      env: { SHED_LOAD: 'on' },
      servers: 1,
      world: { payers: 20, rentals: 2, owedCents: () => 10_000 },
    });
    const { address } = await fixture.pool.next();
    using reads = new Flood(address, 16);
    const shot = turns(fixture.payers.map((payer) => shotOf('read', readLedgers(payer))));
    await reads.pour(READS_A_SECOND, 1, shot);
    reads.forget();
    await reads.pour(READS_A_SECOND, QUIET_SECONDS, shot);
    const before = quantileOf(
      reads.hits.map(({ ms }) => ms),
      0.99,
    );
    reads.forget();
    const attack = Promise.all(
      Array.from({ length: sockets }, (_, index) => drip(address, index % 2 === 0)),
    );
    await reads.pour(READS_A_SECOND, CUT_SECONDS + 2, shot);
    const lives = await attack;
    const during = quantileOf(
      reads.hits.map(({ ms }) => ms),
      0.99,
    );
    const [longest, slower] = [
      'seconds until the last is cut',
      'p99 of the reads, as a multiple of before',
    ];
    const isFull = sockets >= FULL;
    return [
      mustBe('slow sockets that were not cut', lives.filter((life) => life === null).length, 0),
      mustBe('reads that failed', reads.hits.filter(({ status }) => status !== 200).length, 0),
      judgedIf(isFull, mustBe('reads shed', reads.turnedAway, 0)),
      judgedIf(
        isFull,
        mustBeAtMost(longest, Math.max(...lives.map((life) => life ?? Infinity)), CUT_SECONDS),
      ),
      judgedIf(isFull, mustBeAtMost(slower, during / before, 2)),
      reported('p99 of the reads meanwhile, in ms', during, 'max'),
      mustBe('servers that ended by themselves', fixture.pool.deaths, 0),
    ];
  },
};

/**
 * How long a socket lived, in seconds, that drips its headers or its body; null where it was not
 * cut.
 */
async function drip(address: string, inHeaders: boolean): Promise<number | null> {
  const begun = performance.now();
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const ended = new Promise<number>((resolve) =>
    socket
      .on('error', () => {})
      .on('close', () => resolve((performance.now() - begun) / 1000))
      .resume(),
  );
  socket.write(
    'POST /api/users/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n',
  );
  socket.write(inHeaders ? 'x-slow: ' : 'content-length: 1000\r\n\r\n{');
  const dripping = setInterval(() => socket.write('a'), DRIP_MS);
  const life = await Promise.race([ended, delay(GIVE_UP_MS, null, { ref: false })]);
  clearInterval(dripping);
  socket.destroy();
  return life;
}
