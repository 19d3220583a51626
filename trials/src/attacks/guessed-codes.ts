import { randomInt } from 'node:crypto';
import { CODE_TRIES } from '@gatehouse/contract/registration';
import { limits } from '@gatehouse/server/src/config/limits.ts';
import { jsonOf, type Answer } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtMost, mustBeAtLeast, type Figure, type Proof } from '../harness/proof.ts';
import { hashToken } from '@gatehouse/server/src/http/token.ts';
import { PASSWORD, type Person } from '../harness/actors.ts';
import { newestCodeTo } from '../harness/dead-tokens.ts';
import { sql } from 'kysely';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

/** A code is this one once in a hundred million times. */
const WRONG = '01010101';
const NEW_PASSWORD = 'quiet harbor 4471';
/** So many windows of ten minutes are an hour, and a day. */
const [AN_HOUR, A_DAY] = [6, 144];
/** A /48 counts as so many households. */
const HOUSEHOLDS = 16;

/**
 * T5: guessing verification codes and skipping steps, under the limits as an operator gets them.
 */
export const guessedCodes: Proof<{ windows: number; parallel: number }> = {
  name: 'T5',
  title:
    'Verification codes are guessed for a day from changing networks, owners held up by lookups, steps skipped, tokens swapped and used at once',
  sizes: { small: { windows: 12, parallel: 50 }, full: { windows: A_DAY, parallel: 100 } },
  async run({ windows, parallel }, _seed, stage) {
    await using site = await openSite(stage, { limits: 'real', env: { TRUSTED_HOPS: '1' } });
    const { a, b, c, d } = site.actors;
    return [
      ...(await guessFor(site, a, windows)),
      ...(await holdUp(site, d)),
      ...(await sprayFromOneCustomer(site, d)),
      ...(await skipSteps(site, b, d)),
      ...(await useAtOnce(site, c, parallel)),
      mustBe(
        'people who still sign in with their own password',
        await countSignIns(site, [a, b, d]),
        3,
      ),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/**
 * Guesses as often as anything lets it: three lookups in each window of ten minutes, of each code
 * five tries at once with more at the same time, and then the right code. Each hour the owner gets
 * and uses a code on a known device. Time passes by moving what is stored into the past.
 */
async function guessFor(site: Site, person: Person, windows: number): Promise<Figure[]> {
  let codes = 0;
  let guesses = 0;
  let hits = 0;
  let rightAfter = 0;
  let tries = 0;
  let byOwner = 0;
  const device = await deviceOf(site, person);
  for (let window = 0; window < windows; window += 1) {
    for (let lookup = 0; lookup < 3; lookup += 1) {
      const token = await lookUp(site, person);
      if (token === null) continue;
      codes += 1;
      const answers = await Promise.all(
        Array.from({ length: CODE_TRIES * 2 }, () => verify(site, token, WRONG)),
      );
      guesses += answers.length;
      hits += answers.filter(isRight).length;
      tries += await triesOf(site, token);
      if (isRight(await verify(site, token, await newestCodeTo(site.db, person.email))))
        rightAfter += 1;
    }
    if (window % AN_HOUR === 0 && (await getsCode(site, person, { device }))) byOwner += 1;
    await passTenMinutes(site);
  }
  const hours = windows / AN_HOUR;
  const most = limits['codes-an-hour'].most * hours;
  return [
    mustBeAtLeast('guesses that were sent for one address', guesses, 20),
    mustBeAtMost('guesses that a code was compared with', tries, most * CODE_TRIES),
    mustBeAtMost('codes that were mailed to it', codes, most),
    mustBe('guesses that were right', hits, 0),
    mustBe('right codes that were taken after the fifth try', rightAfter, 0),
    mustBe('codes that the owner got and used on a known device, one each hour', byOwner, hours),
  ];
}

/**
 * What kept an owner out: ten lookups from two addresses, strangers' lookups while a code is in
 * flight, and dead tokens on the owner's own network. Then no lookup is left: known and unknown
 * addresses are refused alike on a network that the owner signed in from.
 */
async function holdUp(site: Site, person: Person): Promise<Figure[]> {
  const [home, away] = [from('203.0.113.7'), from('198.51.100.66')];
  const device = await deviceOf(site, person, home);
  const ten = Array.from({ length: 10 }, (_, nth) => (nth % 2 === 0 ? away : from('192.0.2.9')));
  for (const headers of ten) await lookUp(site, person, { headers });
  const onDevice = await getsCode(site, person, { device, headers: home });
  await passTenMinutes(site);
  const elsewhere = await getsCode(site, person, { headers: from('192.0.2.10') });
  for (let nth = 0; nth < AN_HOUR; nth += 1) await passTenMinutes(site);

  const token = (await lookUp(site, person, { headers: home }))!;
  const code = await newestCodeTo(site.db, person.email);
  for (let nth = 0; nth < 20; nth += 1) await lookUp(site, person);
  await inLanes(100, 20, async () => {
    await verify(site, WRONG, WRONG, { headers: home });
  });
  const inFlight = isRight(await verify(site, token, code, { headers: home }));

  const stranger = { ...person, email: 'stranger@example.com' };
  const waits: string[] = [];
  for (const one of [person, stranger]) {
    for (let nth = 0; nth < AN_HOUR; nth += 1) await passTenMinutes(site);
    for (let nth = 0; nth < 10; nth += 1) {
      await lookUp(site, one);
      if (nth === 4) await passTenMinutes(site);
    }
    const { status, text, headers } = await askFor(site, one, { headers: home });
    waits.push(`${status} ${text} ${Number(headers['retry-after']) <= 3600}`);
  }
  return [
    mustBe('after ten lookups from two addresses: the code on a known device', Number(onDevice), 1),
    mustBe('the code of somebody else ten minutes later', Number(elsewhere), 1),
    mustBe('the code in flight during twenty lookups of strangers', Number(inFlight), 1),
    mustBe('different refusals of a known and an unknown address', new Set(waits).size, 1),
    mustBe(
      'of them those that end within an hour',
      waits.filter((wait) => wait.startsWith('429') && wait.endsWith('true')).length,
      2,
    ),
  ];
}

/** Lookups from the 65,536 networks of one IPv6 customer: of one account, and of many. */
async function sprayFromOneCustomer(site: Site, person: Person): Promise<Figure[]> {
  for (let nth = 0; nth < AN_HOUR; nth += 1) await passTenMinutes(site);
  const customer = (nth: number) => from(`2001:db8:77:${nth.toString(16)}::1`);
  let codes = 0;
  for (let nth = 0; nth < 20; nth += 1)
    if ((await lookUp(site, person, { headers: customer(nth) })) !== null) codes += 1;
  const most = limits['lookups-an-hour'].most * HOUSEHOLDS;
  const sent = most + 100;
  let answered = 0;
  await inLanes(sent, 24, async (nth) => {
    const other = { ...person, email: `spray${nth}@example.com` };
    const { status } = await askFor(site, other, { headers: customer(100 + nth) });
    if (status === 200) answered += 1;
  });
  return [
    mustBe(
      'codes of an account that the networks of a /48 got in an hour',
      codes,
      limits['codes-an-hour-from-a-network'].most,
    ),
    mustBeAtLeast('lookups of other accounts from them', sent, most + 1),
    mustBeAtMost('of them those that were answered', answered, most),
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
    const isRefused =
      answer.status === 200 ? !isRight(answer) : answer.status >= 400 && answer.status < 500;
    if (isRefused) refused += 1;
  };
  expectRefused(await setPassword(site, own));
  expectRefused(await verify(site, others, code));
  expectRefused(await setPassword(site, others));
  expectRefused(await verify(site, own, code, { corporationCode: 'HARBOR' }));
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
  const set = (await times(() => setPassword(site, token))).filter(
    ({ status }) => status === 200,
  ).length;
  const again = await setPassword(site, token);
  const mails = await site.db.owner
    .selectFrom('mails')
    .select('id')
    .where('to_address', '=', person.email)
    .where('subject', 'in', ['Your password was changed', 'Welcome to your account'])
    .execute();
  return [
    mustBe('successes of the right code, used at once', verified, 1),
    mustBe('successes of the verified token, used at once', set, 1),
    mustBe('mails that report a new password', mails.length, 1),
    mustBe('answer to one more use', again.status, 422),
  ];
}

const from = (address: string) => ({ 'x-forwarded-for': address });

/** Each request comes from another network, so only the limit of the address applies. */
const fromAnywhere = () => from([10, randomInt(256), randomInt(256), randomInt(256)].join('.'));

type Options = { headers?: ReturnType<typeof from>; device?: string; corporationCode?: string };

function askFor(
  site: Site,
  { email, records: [record] }: Person,
  { headers = fromAnywhere(), device }: Options = {},
): Promise<Answer> {
  const { corp: corporationCode, locationCode } = record.place;
  const body = { email, locationCode, corporationCode, device };
  return site.send(callOf('register', idsOf(record), { headers, body }));
}

/** The token of a new lookup, or null where there were too many. */
async function lookUp(site: Site, person: Person, options?: Options): Promise<string | null> {
  const answer = await askFor(site, person, options);
  if (answer.status === 429) return null;
  return (jsonOf(answer) as { token: string }).token; // as the endpoint answers
}

/** Whether a lookup is answered, and the code that it mails is right. */
async function getsCode(site: Site, person: Person, options: Options): Promise<boolean> {
  const token = await lookUp(site, person, options);
  if (token === null) return false;
  const code = await newestCodeTo(site.db, person.email);
  return isRight(await verify(site, token, code, options));
}

function verify(
  site: Site,
  token: string,
  code: string,
  { headers = fromAnywhere(), corporationCode = 'ANCHOR' }: Options = {},
): Promise<Answer> {
  const body = { token, code, corporationCode };
  return site.send({ method: 'POST', path: '/api/users/verify', headers, body });
}

function setPassword(site: Site, token: string, corporationCode = 'ANCHOR'): Promise<Answer> {
  const body = { token, password: NEW_PASSWORD, corporationCode };
  return site.send({
    method: 'POST',
    path: '/api/users/password-update',
    headers: fromAnywhere(),
    body,
  });
}

function isRight(answer: Answer): boolean {
  return answer.status === 200 && (jsonOf(answer) as { success: boolean }).success; // as both endpoints answer
}

async function triesOf({ db }: Site, token: string): Promise<number> {
  const row = await db.owner
    .selectFrom('account_lookups')
    .select('tries')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  return row?.tries ?? 0;
}

/** Makes a registration so many minutes older. */
async function age({ db }: Site, token: string, minutes: number): Promise<void> {
  const tokenHash = hashToken(token);
  const { created_at } = await db.owner
    .selectFrom('account_lookups')
    .select('created_at')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow();
  await db.owner
    .updateTable('account_lookups')
    .set({ created_at: new Date(created_at.getTime() - minutes * 60_000) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

async function passTenMinutes({ db }: Site): Promise<void> {
  await sql`UPDATE limit_counts SET ends_at = ends_at - interval '10 minutes'`.execute(db.owner);
  await sql`UPDATE account_lookups SET created_at = created_at - interval '10 minutes'`.execute(
    db.owner,
  );
}

function signIn(
  site: Site,
  { email, records: [{ place }] }: Person,
  headers = fromAnywhere(),
): Promise<Answer> {
  const body = {
    username: email,
    password: PASSWORD,
    locationCode: place.locationCode,
    corporationCode: place.corp,
  };
  return site.send({ method: 'POST', path: '/api/users/login', headers, body });
}

/** The device token of a sign-in. */
async function deviceOf(
  site: Site,
  person: Person,
  headers?: ReturnType<typeof from>,
): Promise<string> {
  return (jsonOf(await signIn(site, person, headers)) as { device: string }).device; // as it answers
}

async function countSignIns(site: Site, people: Person[]): Promise<number> {
  const answers = await Promise.all(people.map((person) => signIn(site, person)));
  return answers.filter(({ status }) => status === 200).length;
}
