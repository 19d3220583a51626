import { updatePassword, verify as verifyCode } from '@gatehouse/contract/registration';
import { logout } from '@gatehouse/contract/session';
import { hashPassword } from '@gatehouse/server/src/features/session/password.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import type { AppProcess } from '../harness/app-process.ts';
import { lookUp, pathAt, readLedgers } from '../harness/calls.ts';
import { openClient } from '../harness/client.ts';
import { newestCodeTo } from '../harness/dead-tokens.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { CORPORATION, type Payer } from '../harness/world.ts';
import { inLanes } from '../harness/lanes.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { divide, mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';

/** Requests of one race, on so many connections, half to each server. */
const REQUESTS = 25;
const CONNECTIONS = 8;
const ENDS = ['logout', 'reset', 'disabled'] as const;
type End = (typeof ENDS)[number];

/** R29: a session's calls race what ends it, and none that begins after that succeeds. */
export const sessionEndRaces: Proof<{ requests: number }> = {
  name: 'R29',
  title:
    'Calls of a session racing logout, a new password and the disabling of its user, over two servers',
  sizes: { small: { requests: 1000 }, full: { requests: 10_000 } },
  parts: (size) => divide(size, Math.ceil(size.requests / 2500)),
  async run({ requests }, seed, stage) {
    const random = randomOf(seed);
    const races = Math.ceil(requests / REQUESTS);
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: { payers: races, rentals: 1, owedCents: () => 10_000, sessionsAt: [0, 0] },
    });
    const passwordHash = await hashPassword('harbor gate 81');
    await fixture.db.owner.updateTable('users').set({ password_hash: passwordHash }).execute();
    const found = { live: 0, raced: 0, after: 0, succeededAfter: 0, odd: 0, notEnded: 0 };
    await inLanes(races, 2, async (index) => {
      const race = await runRace(
        fixture,
        random,
        fixture.payers[index]!,
        index,
        ENDS[index % ENDS.length]!,
      );
      for (const { begunAt, status } of race.answers) {
        const isAfter = begunAt > race.deadAt;
        found[isAfter ? 'after' : 'raced'] += 1;
        if (status === 200) found.live += 1;
        if (isAfter && status === 200) found.succeededAfter += 1;
        if (status !== 200 && status !== 401) found.odd += 1;
      }
      if (race.statusAtEnd !== 200) found.notEnded += 1;
    });
    return [
      mustBe('calls that began after the answer and succeeded', found.succeededAfter, 0),
      mustBeAtLeast('calls that began after the answer', found.after, Math.floor(requests / 3)),
      mustBe('answers other than 200 and 401', found.odd, 0),
      mustBe('logouts and new passwords that were not answered 200', found.notEnded, 0),
      // Else a server that refuses everybody would pass.
      mustBeAtLeast('calls that succeeded', found.live, Math.floor(requests / 10)),
      reported('calls that began before the answer', found.raced),
      mustBe('servers that ended by themselves', fixture.pool.deaths, 0),
    ];
  },
};

type Timed = { begunAt: number; status: number };
type Race = { deadAt: number; statusAtEnd: number; answers: Timed[] };

/**
 * Calls go on over kept connections while one of them ends the session; a third come before that,
 * the rest from then on.
 */
async function runRace(
  fixture: Fixture,
  random: Random,
  payer: Payer,
  index: number,
  end: End,
): Promise<Race> {
  const servers = fixture.pool.serving;
  const clients = Array.from({ length: CONNECTIONS }, (_, place) =>
    openClient(servers[place % 2]!.address, { connections: 1 }),
  );
  const [token, other] = payer.tokens as [string, string]; // the world gave each two
  const verified = end === 'reset' ? await verify(fixture, servers[0]!, index) : '';
  const answers: Timed[] = [];
  const race: Race = { deadAt: Infinity, statusAtEnd: 200, answers };
  const endAfter = random.between(CONNECTIONS / 2, CONNECTIONS + 4);
  let ending: Promise<void> | undefined;
  const endIt = async () => {
    race.statusAtEnd = await endSession(fixture, servers[index % 2]!, {
      end,
      token,
      verified,
      index,
    });
    race.deadAt = performance.now();
  };
  const call = async (place: number, bearer: string) => {
    const begunAt = performance.now();
    const { status } = await clients[place % CONNECTIONS]!.send({
      ...readLedgers(payer),
      token: bearer,
    });
    answers.push({ begunAt, status });
  };
  await inLanes(REQUESTS, CONNECTIONS, async (place) => {
    if (place === endAfter) ending = endIt();
    // The last ones wait for the answer: they must be refused, on the connections that served
    // before.
    if (place > REQUESTS / 2) await ending;
    // A new password and a disabled user end every session, logout its own.
    await call(place, end === 'logout' || random.chance(0.5) ? token : other);
  });
  for (const client of clients) client.close();
  return race;
}

type Ending = { end: End; token: string; verified: string; index: number };

/** Ends the session; answers the status of the call that did. */
async function endSession(
  { db, driver }: Fixture,
  { address }: AppProcess,
  ending: Ending,
): Promise<number> {
  const { end, token, verified, index } = ending;
  switch (end) {
    case 'logout':
      return (await driver.caller.call(address, { method: 'POST', path: pathAt(logout), token }))
        .status;
    case 'reset': {
      const body = {
        token: verified,
        password: `gate harbor ${index}`,
        corporationCode: CORPORATION,
      };
      return (
        await driver.caller.call(address, { method: 'POST', path: pathAt(updatePassword), body })
      ).status;
    }
    case 'disabled':
      await db.owner
        .updateTable('users')
        .set({ disabled_at: testClock.now() })
        .where('email', '=', emailOf(index))
        .execute();
      return 200;
  }
}

/** Looks the account up and gives the mailed code; answers the token that may set the password. */
async function verify(
  { db, driver }: Fixture,
  { address }: AppProcess,
  index: number,
): Promise<string> {
  const email = emailOf(index);
  const asked = await driver.caller.call(address, lookUp(email));
  const { token } = JSON.parse(asked.text) as { token: string }; // as the endpoint answers
  const body = { token, code: await newestCodeTo(db, email), corporationCode: CORPORATION };
  const answer = await driver.caller.call(address, {
    method: 'POST',
    path: pathAt(verifyCode),
    body,
  });
  const { success } = JSON.parse(answer.text) as { success: boolean };
  if (!success) throw new Error(`the code of ${email} was not taken`);
  return token;
}

function emailOf(index: number): string {
  return `payer-${index}@example.com`;
}
