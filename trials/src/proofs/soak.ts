import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashPassword } from '@gatehouse/server/src/features/people/session/password.ts';
import { photoWithGps } from '@gatehouse/server/test/photos.ts';
import type { Call } from '../harness/client.ts';
import { readLedgers, sendPhoto, signIn } from '../harness/calls.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { ProcessWatch, type Holding } from '../harness/process-watch.ts';
import { median, quantileOf } from '../harness/statistics.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { untilNoneLeft } from '../harness/until.ts';
import type { Payer } from '../harness/world.ts';
import { randomOf, type Random } from '../harness/random.ts';
import {
  judgedIf,
  mustBe,
  mustBeAtMost,
  reported,
  type Figure,
  type Proof,
} from '../harness/proof.ts';
import { changeRows } from '@gatehouse/server/test/rows.ts';

/** What tenants do, by how often. */
const MIX = { read: 80, payment: 12, 'sign-in': 5, photo: 3 };
type Kind = keyof typeof MIX;

const PASSWORD = 'gravel-lantern-42';
/** Requests at once while the capacity is measured, and for how long, as a share of the whole. */
const LANES = 16;
const CAPACITY_SHARE = 1 / 20;
const LOAD_SHARE = 0.6;
/**
 * What comes before this much of the soak does not count: the heap grows to its size, and code is
 * compiled.
 */
const WARM_UP_SHARE = 1 / 6;
/** As many connections as a server's pool has at most. */
const MOST_CONNECTIONS = 10;
/** From this long on, slopes and times must hold; in less there is nothing to be seen of them. */
const LONG_SECONDS = 600;
const MINUTE = 60_000;
const MOST = { slopeMibAMinute: 1, growth: 1.2, drift: 1.2, moreSockets: 10 };

/**
 * R8: one server under a steady load of reads, sign-ins, payments and photos gives back all that it
 * takes.
 */
export const soak: Proof<{ seconds: number; mostPerSecond: number }> = {
  name: 'R8',
  title: 'Soak at 60 % of the measured capacity',
  sizes: {
    small: { seconds: 12, mostPerSecond: 20 },
    full: { seconds: 1800, mostPerSecond: 1000 },
  },
  async run({ seconds, mostPerSecond }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: {
        payers: seconds < LONG_SECONDS ? 60 : 1000,
        rentals: 2,
        owedCents: () => 90_000_000,
      },
    });
    const { driver, pool, db } = fixture;
    const app = pool.serving[0]!;
    await changeRows(db.owner, 'users', { password_hash: await hashPassword(PASSWORD) });
    const people = new People(fixture, random, await photoWithGps({ width: 1600, height: 1200 }));
    const watch = new ProcessWatch(app, db.owner, seconds < LONG_SECONDS ? 1000 : 5000);
    await delay(3000);
    const before = mostOf(watch.seen);

    const capacity = await measureCapacity(people, seconds * CAPACITY_SHARE);
    const perSecond = Math.min(capacity * LOAD_SHARE, mostPerSecond);
    stage.say(
      `  ${capacity.toFixed(0)} requests a second at most, ${perSecond.toFixed(0)} in the soak`,
    );
    const looked = watch.seen.length;
    const begun = performance.now();
    const answered: Answered[] = [];
    const load = new SteadyLoad(perSecond, async () => answered.push(await people.act()));
    await delay(seconds * 1000);
    await load.stop();
    const holdings = watch.seen.slice(looked);
    driver.caller.close();
    const more = await untilAtRest(watch, before);
    await watch.end();
    const odd = answered.filter(({ status }) => status !== 200);
    for (const one of odd)
      await appendFile(join(stage.folder, `odd-${db.name}.jsonl`), `${JSON.stringify(one)}\n`);
    await writeFile(join(stage.folder, `holdings-${db.name}.json`), JSON.stringify(holdings));
    return [
      mustBe('answers other than good ones', odd.length, 0),
      ...(await fixture.check()),
      mustBeAtMost('connections to the database', mostOf(holdings).connections, MOST_CONNECTIONS),
      mustBe('connections to the database at the end, beyond those before', more.connections, 0),
      mustBe('open files and sockets at the end, beyond those before', more.files, 0),
      mustBe('handles at the end, beyond those before', more.handles, 0),
      ...overTime(holdings, answered, begun, seconds),
      reported('requests a second at capacity', Math.round(capacity)),
      reported('requests a second in the soak', Math.round(perSecond)),
      ...(Object.keys(MIX) as Kind[]).map((kind) =>
        reported(`requests: ${kind}`, answered.filter((one) => one.kind === kind).length),
      ),
    ];
  },
};

/** An answered request. */
type Answered = { kind: Kind; status: number; text: string; at: number; ms: number };

/** Tenants who do one thing at a time, by turns. */
class People {
  readonly #fixture: Fixture;
  readonly #random: Random;
  readonly #photo: Buffer;
  #turn = 0;
  /** Of their own, so that none of a thousand sends more than may be sent in a day. */
  #photos = 0;
  #payments = 0;

  constructor(fixture: Fixture, random: Random, photo: Buffer) {
    this.#fixture = fixture;
    this.#random = random;
    this.#photo = photo;
  }

  async act(): Promise<Answered> {
    const kind = this.#random.weighted(MIX);
    const { payers } = this.#fixture;
    const turn = kind === 'photo' ? (this.#photos += 1) : (this.#turn += 1);
    const payer = payers[turn % payers.length]!;
    const at = performance.now();
    const { status, text } = kind === 'payment' ? await this.#pay() : await this.#call(kind, payer);
    return { kind, status, text: status === 200 ? '' : text, at, ms: performance.now() - at };
  }

  async #call(
    kind: Exclude<Kind, 'payment'>,
    payer: Payer,
  ): Promise<{ status: number; text: string }> {
    const { driver, pool } = this.#fixture;
    const answer = await driver.caller.call(pool.serving[0]!.address, this.#callOf(kind, payer));
    // The five newest sessions of a user live.
    if (kind === 'sign-in' && answer.status === 200)
      payer.token = (JSON.parse(answer.text) as { token: string }).token;
    return answer;
  }

  #callOf(kind: Exclude<Kind, 'payment'>, payer: Payer): Call {
    switch (kind) {
      case 'read':
        return readLedgers(payer);
      case 'sign-in':
        return signIn(payer.email, PASSWORD);
      case 'photo':
        return sendPhoto(payer, this.#photo);
    }
  }

  async #pay(): Promise<{ status: number; text: string }> {
    const { driver, pool, payers } = this.#fixture;
    const order = nextOrder(this.#random, payers, (this.#payments += 1));
    const { status, message } = await driver.send(pool.serving[0]!.address, order);
    return { status, text: message };
  }
}

/** Requests a second with this many always under way. */
async function measureCapacity(people: People, seconds: number): Promise<number> {
  const begun = performance.now();
  let answered = 0;
  const end = begun + seconds * 1000;
  const lane = async () => {
    for (; performance.now() < end; answered += 1) await people.act();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return (answered * 1000) / (performance.now() - begun);
}

/** How much more it holds once it has given back what it does; what is below 0 is nothing. */
async function untilAtRest(watch: ProcessWatch, before: Omit<Holding, 'at'>) {
  let more = { connections: 0, files: 0, handles: 0 };
  await untilNoneLeft(
    async () => {
      const now = await watch.look();
      more = {
        connections: Math.max(0, now.connections - before.connections),
        files: Math.max(0, now.files - before.files),
        handles: Math.max(0, now.handles - before.handles),
      };
      return more.connections + more.files + more.handles;
    },
    { everyMs: 500 },
  );
  return more;
}

function mostOf(holdings: Holding[]): Omit<Holding, 'at'> {
  const most = (what: keyof Holding) => Math.max(...holdings.map((holding) => holding[what]));
  return {
    rssMib: most('rssMib'),
    files: most('files'),
    sockets: most('sockets'),
    handles: most('handles'),
    connections: most('connections'),
  };
}

/** What must not grow under a constant load; a short soak only reports it. */
function overTime(
  holdings: Holding[],
  answered: Answered[],
  begun: number,
  seconds: number,
): Figure[] {
  const isLong = seconds >= LONG_SECONDS;
  const must = (what: string, value: number, most: number) =>
    judgedIf(isLong, mustBeAtMost(what, value, most));
  const warm = holdings.slice(Math.floor(holdings.length * WARM_UP_SHARE));
  const [first, last] = endsOf(warm);
  const rss = (part: Holding[]) => median(part.map(({ rssMib }) => rssMib));
  const sockets = (part: Holding[]) => calmOf(part.map((holding) => holding.sockets));
  const slope = slopeOf(warm.map(({ at, rssMib }) => ({ x: at / MINUTE, y: rssMib })));
  return [
    reported('MiB of memory after the warm-up', rss(first), 'max'),
    reported('MiB of memory at the end', rss(last), 'max'),
    must('MiB of memory more a minute', slope, MOST.slopeMibAMinute),
    must('memory at the end over that after the warm-up', rss(last) / rss(first), MOST.growth),
    must(
      'sockets more at the end than after the warm-up',
      sockets(last) - sockets(first),
      MOST.moreSockets,
    ),
    ...(['read', 'payment'] as const).flatMap((kind) => {
      const p99s = p99OfMinutes(
        answered.filter((one) => one.kind === kind),
        begun + seconds * 1000 * WARM_UP_SHARE,
      );
      const [early, late] = endsOf(p99s).map(calmOf) as [number, number];
      return [
        reported(`milliseconds, p99 of a ${kind} after the warm-up`, early, 'max'),
        reported(`milliseconds, p99 of a ${kind} at the end`, late, 'max'),
        must(`p99 of a ${kind} at the end over that after the warm-up`, late / early, MOST.drift),
      ];
    }),
  ];
}

/** The first and the last third, which are the same where there is little. */
function endsOf<T>(list: T[]): [T[], T[]] {
  const third = Math.ceil(list.length / 3);
  return [list.slice(0, third), list.slice(-third)];
}

/**
 * Of each minute from `since` on; a burst of other work on the machine then spoils its own minute
 * alone.
 */
function p99OfMinutes(answered: Answered[], since: number): number[] {
  const minutes = new Map<number, number[]>();
  for (const { at, ms } of answered.filter((one) => one.at >= since)) {
    const minute = Math.floor((at - since) / MINUTE);
    if (!minutes.has(minute)) minutes.set(minute, []);
    minutes.get(minute)!.push(ms);
  }
  return [...minutes.values()].map((times) => quantileOf(times, 0.99));
}

/**
 * What a quarter of them do not exceed: other work on the machine raises some of them, what drifts
 * raises all.
 */
function calmOf(values: number[]): number {
  return quantileOf(values, 0.25);
}

/** The slope of the straight line that fits best. */
function slopeOf(points: { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
