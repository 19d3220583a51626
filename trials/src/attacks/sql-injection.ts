import { plainText } from '@gatehouse/contract/typed';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import { isFault, isShed, jsonOf, type Answer, type Call } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtLeast, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { idsWithPayLink } from '../harness/pay-links.ts';
import { callOf, idsOf, openSite, urlOf, type Site } from '../harness/site.ts';
import { costOf, slowTexts, sourceRegexes } from './regexes.ts';
import { textFields } from './text-fields.ts';
import { findRows } from '@gatehouse/server/test/rows.ts';

const LANES = 8;
/** Stands where an injection writes: nowhere else. */
const MARK = 'zq9injected';

const injections = [
  "' OR '1'='1",
  "'; UPDATE tenants SET first_name = 'zq9injected'; --",
  "') ; UPDATE tenants SET first_name = 'zq9injected'; --",
  "1); UPDATE tenants SET first_name='zq9injected' --",
  "'||(SELECT pg_sleep(60))||'",
  "'; SELECT pg_sleep(60); --",
  '1 AND (SELECT 1 FROM pg_sleep(60))',
  '"; DROP TABLE sessions; --',
  "\\'; DROP TABLE sessions; --",
  "' UNION SELECT password_hash FROM users --",
  '$$; SELECT pg_sleep(60); $$',
  '$1 $2 :name @p0 %s %(x)s {0}',
  "E'\\x27'; --",
  'ʼ OR 1=1 --',
  "' AND 1=CAST((SELECT version()) AS int) --",
  "%' OR 1=1 --",
  '{"$ne":null}',
  '__proto__',
  'constructor',
  'prototype.polluted',
  'toString',
  '${process.exit(1)}',
  '{{constructor.constructor("return process")()}}',
  '#{7*7}',
  '$(sleep 6)',
  '`sleep 6`',
  '| sleep 6 ;',
  '&& exit 1',
  '*)(uid=*))(|(uid=*',
  'a\r\n{"level":30,"msg":"zq9forged","method":"GET"}',
  'a\n{"level":50,"msg":"zq9forged"}\n',
  'a\u2028{"msg":"zq9forged"}',
  '\u001b[2J\u001b[31mzq9forged',
];

const polluting = [
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"a":{"__proto__":{"isAdmin":true}}}',
  '{"\\u005f_proto__":{"isAdmin":true}}',
];

/** T19: injections into database, objects, logs and regexes. */
export const sqlInjection: Proof<{ injections: number; pairs: number }> = {
  name: 'T19',
  title: 'Injections into every place for text and every path, and long texts at every regex',
  sizes: {
    small: { injections: 2, pairs: 0 },
    full: { injections: injections.length, pairs: 400 },
  },
  async run(size, _seed, stage) {
    await using site = await openSite(stage);
    const { a, b } = site.actors;
    const calls = [
      ...(await callsOfBodies(site, size.injections)),
      ...callsOfPaths(site, size.injections),
    ];
    const before = await sumsOf(site);
    const found = { faults: 0, slowest: 0, ok: 0 };
    const answers: Answer[] = [];
    await inLanes(calls.length, LANES, async (index) => {
      const begun = performance.now();
      const answer = await site.send(calls[index]!);
      answers.push(answer);
      found.slowest = Math.max(found.slowest, (performance.now() - begun) / 1000);
      if (answer.status === 200) found.ok += 1;
      if (isFault(answer)) {
        found.faults += 1;
        stage.say(`  ${answer.status} ${JSON.stringify(calls[index]).slice(0, 300)}`);
      }
    });
    const leaks = answers.filter(({ text }) =>
      /\$argon2id|PostgreSQL \d|syntax error|pg_catalog/.test(text),
    ).length;
    const polluted = await sendPolluting(site);
    return [
      reported('injections sent', calls.length),
      reported('calls that were taken', found.ok),
      mustBe('answers of 500 and above, or none', found.faults, 0),
      reported('requests shed', answers.filter(isShed).length),
      // pg_sleep(60) that ran would show here.
      mustBeAtMost('longest answer in seconds', found.slowest, 50),
      mustBe('answers with a hash, a version or an error of the database', leaks, 0),
      mustBe('rows that an injection wrote', await countWritten(site), 0),
      mustBe(
        'users, sessions and records that went or came',
        differencesOf(before, await sumsOf(site)),
        0,
      ),
      mustBe('texts that were kept otherwise than they were sent', await countAltered(site), 0),
      mustBe('bodies with __proto__ or constructor.prototype that were not refused', polluted, 0),
      mustBe('other tenants’ records that look otherwise', await isOtherwise(site, b.token), 0),
      ...(await logFigures(site, a.token)),
      ...(await regexFigures(size.pairs, stage.say)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

async function callsOfBodies(site: Site, each: number): Promise<Call[]> {
  const { a } = site.actors;
  const ids = await idsWithPayLink(site, a.records[0]);
  return textFields(ids).flatMap((field, index) =>
    Array.from({ length: each }, (_, turn) =>
      callOf(field.name, ids, {
        token: a.token,
        body: field.with(injections[(index * each + turn) % injections.length]!),
      }),
    ),
  );
}

/** Every parameter of every path and the query, and the headers that the server reads. */
function callsOfPaths({ actors: { a } }: Site, each: number): Call[] {
  const ids = idsOf(a.records[0]);
  const names = Object.keys(endpoints) as EndpointName[];
  const slots = names.flatMap((name) =>
    [...endpoints[name].path.matchAll(/:(\w+)/g)].map(([, param]) => ({ name, param: param! })),
  );
  const paths = slots.flatMap(({ name, param }, index) =>
    Array.from({ length: each }, (_, turn): Call => {
      const text = encodeURIComponent(injections[(index * each + turn) % injections.length]!);
      const path = urlOf(name, ids).replace(ids[param as keyof typeof ids], text);
      return { method: endpoints[name].method, path, token: a.token };
    }),
  );
  const plain = injections.filter((text) => /^[\x20-\x7e]+$/.test(text));
  const headers = plain.slice(0, each * 10).flatMap((text): Call[] => [
    callOf('listLedgers', ids, { headers: { authorization: `Bearer ${text}` } }),
    callOf('listLedgers', ids, {
      token: a.token,
      headers: { 'user-agent': text, 'x-forwarded-for': text, host: text },
    }),
    callOf('scheduleMoveOut', ids, { token: a.token, headers: { 'idempotency-key': text } }),
  ]);
  return [...paths, ...headers];
}

async function countWritten({ db: { owner } }: Site): Promise<number> {
  const rows = await findRows(owner, 'tenants', 'id', { first_name: MARK });
  return rows.length;
}

/** Rows that no call of the attack adds or takes away: those of A's own sign-in and others'. */
async function sumsOf({ db: { owner } }: Site): Promise<string[]> {
  const [users, sessions, tenants] = await Promise.all([
    owner.selectFrom('users').select(['id', 'password_hash']).orderBy('id').execute(),
    owner.selectFrom('sessions').select('token_hash').orderBy('token_hash').execute(),
    owner
      .selectFrom('tenants')
      .select(['id', 'first_name', 'last_name', 'email'])
      .orderBy('id')
      .execute(),
  ]);
  return [...users, ...sessions, ...tenants].map((row) => JSON.stringify(row));
}

function differencesOf(before: string[], after: string[]): number {
  const [was, is] = [new Set(before), new Set(after)];
  return before.filter((one) => !is.has(one)).length + after.filter((one) => !was.has(one)).length;
}

/** What a form takes comes back as it was, to the character: it was never part of a statement. */
async function countAltered(site: Site): Promise<number> {
  const ids = idsOf(site.actors.a.records[0]);
  let altered = 0;
  for (const text of injections) {
    const kept = await site.send(
      callOf('updateVehicle', ids, {
        token: site.actors.a.token,
        body: { licensePlate: 'A1', description: text },
      }),
    );
    const { description } = jsonOf(kept) as { description: string }; // as the endpoint answers
    if (description !== plainText(text).trim()) altered += 1;
  }
  return altered;
}

async function sendPolluting(site: Site): Promise<number> {
  const ids = idsOf(site.actors.a.records[0]);
  let taken = 0;
  for (const body of polluting)
    for (const name of [
      'login',
      'register',
      'makePayment',
      'updateTenant',
      'updateVehicle',
      'scheduleMoveOut',
    ] as const)
      if ((await site.send(callOf(name, ids, { token: site.actors.a.token, body }))).status !== 422)
        taken += 1;
  return taken;
}

async function isOtherwise(site: Site, token: string): Promise<number> {
  const { status, text } = await site.send(
    callOf('getTenant', idsOf(site.actors.b.records[0]), { token }),
  );
  return status === 200 && text.includes('first-of-Bhere') && !text.includes(MARK) ? 0 : 1;
}

/** Each line of the log is one JSON object of the server's own making. */
async function logFigures(site: Site, token: string) {
  await site.send(callOf('getFacility', idsOf(site.actors.a.records[0]), { token }));
  const lines = (await site.log()).split('\n').filter((line) => line !== '');
  return [
    mustBeAtLeast('lines of the log', lines.length, 100),
    mustBe('lines that are no JSON object', lines.filter((line) => !isObject(line)).length, 0),
    mustBe('lines with a text of ours', lines.filter((line) => line.includes('zq9')).length, 0),
  ];
}

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

async function regexFigures(pairs: number, say: (line: string) => void) {
  const regexes = await sourceRegexes();
  let slowest = 0;
  for (const { file, regex } of regexes)
    for (const text of slowTexts(regex, 100_000, pairs)) {
      const ms = costOf(regex, text);
      slowest = Math.max(slowest, ms);
      if (ms <= 50) continue;
      say(
        `  ${ms.toFixed(0)} ms: ${String(regex)} of ${file} at ${JSON.stringify(text.slice(0, 4))}`,
      );
      break;
    }
  return [
    mustBeAtLeast('regexes of contract and server', regexes.length, 50),
    mustBeAtMost('milliseconds of the slowest at 100,000 characters', slowest, 50),
  ];
}
