import { fromNow } from '@gatehouse/server/test/test-day.ts';
import type { Answer } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import {
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Figure,
  type Proof,
} from '../harness/proof.ts';
import { sql } from 'kysely';
import { PASSWORD } from '../harness/actors.ts';
import { resetPassword } from '../harness/dead-tokens.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

const LANES = 24;
const ATTACKER = '198.51.100.66';
const HOME = '203.0.113.7';
/** A new password that is not guessed. */
const NEW_PASSWORD = 'gate harbor 92';
/** So many guesses come between two steps of the clock, each longer than any wait. */
const ROUND = 100;

/**
 * T4: leaked passwords, from one address and from ten thousand, with the limits as an operator gets
 * them.
 */
export const guessedPasswords: Proof<{ guesses: number }> = {
  name: 'T4',
  title:
    'Guessed passwords from one address at many accounts, and from many addresses at one account',
  sizes: { small: { guesses: 300 }, full: { guesses: 10_000 } },
  async run({ guesses }, _seed, stage) {
    await using site = await openSite(stage, { limits: 'real', env: { TRUSTED_HOPS: '1' } });
    return [
      ...(await fromOneAddress(site, guesses)),
      ...(await fromManyAddresses(site, guesses)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/** A sign-in as the proxy before the server passes it on. */
function signIn(
  site: Site,
  from: string,
  username: string,
  password: string,
  device?: string,
): Promise<Answer> {
  const ids = idsOf(site.actors.a.records[0]);
  const body = {
    username,
    password,
    locationCode: ids.locationCode,
    corporationCode: ids.corp,
    device,
  };
  return site.send(callOf('login', ids, { body, headers: { 'x-forwarded-for': from } }));
}

/** Tries that were counted, each before its password was looked at. */
async function countTries({ db: { owner } }: Site): Promise<number> {
  const { rows } = await sql<{
    tries: number;
  }>`SELECT coalesce(sum(tries), 0)::int AS tries FROM sign_in_tries`.execute(owner);
  return rows[0]!.tries;
}

async function fromOneAddress(site: Site, guesses: number): Promise<Figure[]> {
  const statuses = new Map<number, number>();
  const before = await countTries(site);
  // Three in four say that they come from elsewhere too: what stands left of the proxy's own word
  // counts for nothing.
  await inLanes(guesses, LANES, async (index) => {
    const from = index % 4 === 0 ? ATTACKER : `10.${index % 250}.1.1, ${ATTACKER}`;
    const { status } = await signIn(site, from, `leak${index}@example.com`, `pass word ${index}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const owner = await signIn(site, HOME, 'b@example.com', PASSWORD);
  return [
    reported('from one address: guesses', guesses),
    mustBeAtMost(
      'from one address: answered 401, so their password was looked at',
      statuses.get(401) ?? 0,
      100,
    ),
    mustBeAtMost(
      'from one address: tries that the server counted',
      (await countTries(site)) - before,
      100,
    ),
    mustBe(
      'from one address: answers other than 401 and 429',
      guesses - (statuses.get(401) ?? 0) - (statuses.get(429) ?? 0),
      0,
    ),
    mustBe('from one address: another user’s sign-in from elsewhere meanwhile', owner.status, 200),
  ];
}

async function fromManyAddresses(site: Site, guesses: number): Promise<Figure[]> {
  const { a } = site.actors;
  const first = await signIn(site, HOME, a.email, PASSWORD);
  const { device } = JSON.parse(first.text) as { device: string };
  let failures = 0;
  let others = 0;
  let kept = 0;
  let rounds = 0;
  let last = '';
  for (let done = 0; done < guesses; done += ROUND) {
    await inLanes(Math.min(ROUND, guesses - done), LANES, async (index) => {
      const number = done + index;
      const from = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
      const { status, text } = await signIn(site, from, a.email, `pass word ${number}`);
      if (status === 401) failures += 1;
      else if (status === 429) last = text;
      else others += 1;
    });
    // The owner signs in each day, with the same device, however the attack goes.
    rounds += 1;
    if ((await signIn(site, HOME, a.email, PASSWORD, device)).status === 200) kept += 1;
    await passTime(site);
  }
  const away = await signIn(site, '192.0.2.50', a.email, PASSWORD);
  const newDevice = await resetPassword(site, a, NEW_PASSWORD);
  // The attack continues before the owner signs in.
  await inLanes(ROUND, LANES, async (index) => {
    await signIn(site, `10.9.9.${index}`, a.email, 'wrong');
  });
  const after = await signIn(site, '192.0.2.51', a.email, NEW_PASSWORD, newDevice);
  const isResetOnly = last.includes('choose “Forgot password” to set a new one');
  return [
    reported('from many addresses: guesses at one account', guesses),
    mustBeAtMost('from many addresses: passwords that were looked at', failures, 100),
    mustBeAtLeast(
      'from many addresses: of those',
      failures,
      Math.min(100, Math.floor(guesses / ROUND)),
    ),
    mustBe('from many addresses: answers other than 401 and 429', others, 0),
    ...(failures === 100
      ? [
          mustBe(
            'from many addresses: the last refusal says that only a new password helps',
            isResetOnly ? 1 : 0,
            1,
          ),
        ]
      : []),
    mustBe('the owner’s first sign-in from home', first.status, 200),
    mustBe('the owner’s sign-ins with a device during the attack', kept, rounds),
    reported('the owner’s right password from a strange network after it', away.status, 'max'),
    mustBe(
      'the owner’s sign-in from a strange network after a new password, during the attack',
      after.status,
      200,
    ),
  ];
}

/**
 * Lets every wait and window end, as a quarter of an hour and more would; what was counted stays.
 */
async function passTime({ db: { owner } }: Site): Promise<void> {
  await sql`UPDATE sign_in_tries SET next_at = ${fromNow(-1000)}`.execute(owner);
  await sql`DELETE FROM limit_counts`.execute(owner);
}
