import { randomInt } from 'node:crypto';
import { CODE_TRIES } from '@gatehouse/contract/registration';
import { jsonOf, type Answer } from '../harness/client.ts';
import { mustBe, mustBeAtMost, mustBeAtLeast, type Figure, type Proof } from '../harness/proof.ts';
import { hashToken } from '@gatehouse/server/src/http/token.ts';
import { PASSWORD, type Person } from '../harness/cast.ts';
import { newestCodeTo } from '../harness/dead-tokens.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

/** A code is this one once in a hundred million times. */
const WRONG = '01010101';
const HOME = { 'x-forwarded-for': '203.0.113.7' };
const NEW_PASSWORD = 'quiet harbor 4471';
/** A day has so many windows of ten minutes. */
const WINDOWS = 144;

/** T5: guessing verification codes and skipping steps, under the limits as an operator gets them. */
export const guessedCodes: Proof<{ windows: number; parallel: number }> = {
  name: 'T5',
  title:
    'Verification codes are guessed for a day from changing networks, steps skipped, tokens swapped and used at once',
  sizes: { small: { windows: 12, parallel: 50 }, full: { windows: WINDOWS, parallel: 100 } },
  async run({ windows, parallel }, _seed, stage) {
    await using site = await openSite(stage, { limits: 'real', env: { TRUSTED_HOPS: '1' } });
    const { a, b, c, d } = site.cast;
    return [
      ...(await guessFor(site, a, windows)),
      ...(await skipSteps(site, b, d)),
      ...(await useAtOnce(site, c, parallel)),
      mustBe('people who still sign in with their own password', await countSignIns(site, [a, b, d]), 3),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/**
 * Guesses as often as anything lets it: three codes in each window of ten minutes, of each five tries at once with more
 * beside them, and then the right code. After it the owner asks for a code at home. Time passes by moving the ends of the windows.
 */
async function guessFor(site: Site, person: Person, windows: number): Promise<Figure[]> {
  let codes = 0;
  let guesses = 0;
  let hits = 0;
  let rightAfter = 0;
  let tries = 0;
  await signIn(site, person, HOME);
  for (let window = 0; window < windows; window += 1) {
    for (let lookup = 0; lookup < 3; lookup += 1) {
      const token = await lookUp(site, person);
      if (token === null) continue;
      codes += 1;
      const answers = await Promise.all(Array.from({ length: CODE_TRIES * 2 }, () => verify(site, token, WRONG)));
      guesses += answers.length;
      hits += answers.filter(isRight).length;
      tries += await triesOf(site, token);
      if (isRight(await verify(site, token, await newestCodeTo(site.db, person.email)))) rightAfter += 1;
    }
    await passTenMinutes(site);
  }
  const token = await lookUp(site, person, HOME);
  const atHome =
    token !== null && isRight(await verify(site, token, await newestCodeTo(site.db, person.email), 'ANCHOR', HOME));
  return [
    mustBeAtLeast('guesses that were sent for one address', guesses, 20),
    mustBeAtMost('guesses that a code was compared with, in a day', tries, 50),
    mustBeAtMost('codes that were mailed to it', codes, 10),
    mustBe('guesses that were right', hits, 0),
    mustBe('right codes that were taken after the fifth try', rightAfter, 0),
    mustBe('codes that the owner got and used at home after it', Number(atHome), 1),
  ];
}

/** What must not lead to a new password, each of it: answers are 4xx or "not right". */
async function skipSteps(site: Site, person: Person, other: Person): Promise<Figure[]> {
  const { owner } = site.db;
  const own = (await lookUp(site, person))!;
  const others = (await lookUp(site, other))!;
  const code = await newestCodeTo(site.db, person.email);
  let refused = 0;
  let tried = 0;
  const expectRefused = (answer: Answer) => {
    tried += 1;
    const isRefused = answer.status === 200 ? !isRight(answer) : answer.status >= 400 && answer.status < 500;
    if (isRefused) refused += 1;
  };
  expectRefused(await setPassword(site, own));
  expectRefused(await verify(site, others, code));
  expectRefused(await setPassword(site, others));
  expectRefused(await verify(site, own, code, 'HARBOR'));
  expectRefused(await verify(site, person.token, code));
  expectRefused(await setPassword(site, person.token));
  // A register token is no session, and what comes with the address of another step is none either.
  expectRefused(await site.send(callOf('getTenant', idsOf(person.records[0]), { token: own })));
  const isVerified = isRight(await verify(site, own, code));
  expectRefused(await verify(site, own, code));
  expectRefused(await setPassword(site, own, 'HARBOR'));
  await age(site, own, 16);
  expectRefused(await setPassword(site, own));
  await age(site, own, -16);
  const old = (await lookUp(site, person))!;
  await age(site, old, 11);
  expectRefused(await verify(site, old, await newestCodeTo(site.db, person.email)));
  expectRefused(await setPassword(site, own.toUpperCase()));
  const users = await owner.selectFrom('users').select('id').execute();
  return [
    mustBe('the right code in its time, taken', Number(isVerified), 1),
    mustBe('skipped steps and swapped or old tokens, refused', refused, tried),
    mustBe('users, as before', users.length, 5),
  ];
}

/** The right code, and then the verified token, many times at once. */
async function useAtOnce(site: Site, person: Person, parallel: number): Promise<Figure[]> {
  const token = (await lookUp(site, person))!;
  const code = await newestCodeTo(site.db, person.email);
  const times = <T>(what: () => Promise<T>) => Promise.all(Array.from({ length: parallel }, what));
  const verified = (await times(() => verify(site, token, code))).filter(isRight).length;
  const set = (await times(() => setPassword(site, token))).filter(({ status }) => status === 200).length;
  const again = await setPassword(site, token);
  const mails = await site.db.owner
    .selectFrom('mails')
    .select('id')
    .where('to_address', '=', person.email)
    .where('subject', '=', 'Your password was changed')
    .execute();
  return [
    mustBe('successes of the right code, used at once', verified, 1),
    mustBe('successes of the verified token, used at once', set, 1),
    mustBe('mails that report a new password', mails.length, 1),
    mustBe('answer to one more use', again.status, 422),
  ];
}

/** Each request from a network of its own: what is left is the limit of the address itself. */
const fromAnywhere = () => ({ 'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.') });

/** The token of a new lookup, or null where there were too many. */
async function lookUp(
  site: Site,
  { email, records: [record] }: Person,
  headers = fromAnywhere(),
): Promise<string | null> {
  const { corp: corporationCode, locationCode } = record.place;
  const body = { email, locationCode, corporationCode };
  const answer = await site.send(callOf('register', idsOf(record), { headers, body }));
  if (answer.status === 429) return null;
  return (jsonOf(answer) as { token: string }).token; // as the endpoint answers
}

function verify(
  site: Site,
  token: string,
  code: string,
  corporationCode = 'ANCHOR',
  headers = fromAnywhere(),
): Promise<Answer> {
  const body = { token, code, corporationCode };
  return site.send({ method: 'POST', path: '/api/users/verify', headers, body });
}

function setPassword(site: Site, token: string, corporationCode = 'ANCHOR'): Promise<Answer> {
  const body = { token, password: NEW_PASSWORD, corporationCode };
  return site.send({ method: 'POST', path: '/api/users/password-update', headers: fromAnywhere(), body });
}

function isRight(answer: Answer): boolean {
  return answer.status === 200 && (jsonOf(answer) as { success: boolean }).success; // as both endpoints answer
}

async function triesOf({ db }: Site, token: string): Promise<number> {
  const row = await db.owner
    .selectFrom('registrations')
    .select('tries')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  return row?.tries ?? 0;
}

/** Makes a registration so many minutes older. */
async function age({ db }: Site, token: string, minutes: number): Promise<void> {
  const tokenHash = hashToken(token);
  const { created_at } = await db.owner
    .selectFrom('registrations')
    .select('created_at')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow();
  await db.owner
    .updateTable('registrations')
    .set({ created_at: new Date(created_at.getTime() - minutes * 60_000) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

async function passTenMinutes({ db }: Site): Promise<void> {
  await db.owner
    .updateTable('limit_counts')
    .set({ ends_at: new Date(0) })
    .where('name', '=', 'codes-in-ten-minutes')
    .execute();
}

function signIn(site: Site, { email, records: [{ place }] }: Person, headers: typeof HOME): Promise<Answer> {
  const body = { username: email, password: PASSWORD, locationCode: place.locationCode, corporationCode: place.corp };
  return site.send({ method: 'POST', path: '/api/users/login', headers, body });
}

async function countSignIns(site: Site, people: Person[]): Promise<number> {
  const answers = await Promise.all(people.map((person) => signIn(site, person, fromAnywhere())));
  return answers.filter(({ status }) => status === 200).length;
}
