import { randomUUID } from 'node:crypto';
import { pathOf, type Endpoint } from '@gatehouse/contract/endpoint';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import type { Answer, Call } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { bodyOf, guardedNames, rows, statusForOwner } from './access-matrix.ts';
import type { Person } from '../harness/actors.ts';
import { mustNotBeWritten, takeFootprint } from '../harness/footprint.ts';
import { callOf, idsOf, openSite, type Ids, type Site } from '../harness/site.ts';
import { makeMember, officeHeaders, type Member } from '../harness/staff.ts';

/** What a page of another origin can make a browser send, and what the server must make of it. */
type Probe = { of: string; call: Call; isBlocked: (answer: Answer) => boolean };

const names = Object.keys(endpoints) as EndpointName[];
const writing = names.filter((name) => endpoints[name].method !== 'GET');

/**
 * T25: what a page elsewhere makes a tenant's browser do. The browser's half is
 * e2e/specs/page-policy.spec.ts.
 */
export const crossOriginRequests: Proof<{ lanes: number }> = {
  name: 'T25',
  title:
    'Requests as pages of other origins can send them, preflights, frames, and what browsers may keep of answers',
  sizes: { small: { lanes: 8 }, full: { lanes: 32 } },
  async run({ lanes }, _seed, stage) {
    await using site = await openSite(stage);
    const { a } = site.actors;
    const owner = await makeMember(site.db.owner, 'owner');
    const before = {
      rows: await takeFootprint(site.db.owner),
      calls: await site.simulator.calls(),
    };
    let bare = 0;
    const refusals = names.flatMap((name) => [
      refused(site, name),
      { ...refused(site, name), token: a.token },
    ]);
    await inLanes(refusals.length, lanes, async (index) => {
      const answer = await site.send(refusals[index]!);
      if (isKept(answer))
        stage.say(`  ${refusals[index]!.path}: ${JSON.stringify(answer.headers)}`);
      else bare += 1;
    });
    const probes = [...probesOf(site), ...officeProbes(site, owner)];
    let blocked = 0;
    await inLanes(probes.length, lanes, async (index) => {
      const { of, call, isBlocked } = probes[index]!;
      const answer = await site.send(call);
      if (isBlocked(answer) && answer.status > 0 && answer.status < 500) blocked += 1;
      else
        stage.say(
          `  ${of}: ${answer.status} ${answer.text.slice(0, 100)} ${JSON.stringify(answer.headers)}`,
        );
    });
    const written = await mustNotBeWritten(
      'tables that were written by them',
      site.db.owner,
      before.rows,
      stage.say,
    );
    const calls = (await site.simulator.calls()) - before.calls;
    const own = await ownAnswers(site, a);
    return [
      reported('operations of the contract', names.length),
      mustBe('refusals of each that no browser keeps, sniffs or renders', bare, refusals.length),
      mustBe(
        'answers to their owner that no browser keeps, sniffs or renders',
        own.sealed,
        guardedNames.length,
      ),
      mustBe('of them answered well', own.good, guardedNames.length),
      mustBeAtLeast('probes from other origins', probes.length, 20),
      mustBe('probes blocked', blocked, probes.length),
      written,
      mustBe('calls of the gateway', calls, 0),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/** A call that changes nothing whatever its token: what it says of itself is asked for. */
function refused({ actors }: Site, name: EndpointName): Call {
  const endpoint: Endpoint = endpoints[name];
  const ids = idsOf(actors.b.records[0]);
  return callOf(name, ids, endpoint.method === 'GET' ? {} : { body: '{' });
}

/** Every endpoint for its owner, once, the session's end last. */
async function ownAnswers(site: Site, person: Person): Promise<{ good: number; sealed: number }> {
  const order = [...guardedNames].sort(
    (one, other) => Number(one === 'logout') - Number(other === 'logout'),
  );
  const count = { good: 0, sealed: 0 };
  for (const name of order) {
    const ids = idsOf(person.records[0], rows[name].rental ?? 'owing');
    const answer = await site.send(
      callOf(name, ids, { token: person.token, body: bodyOf(name, ids) }),
    );
    if (answer.status === statusForOwner(name)) count.good += 1;
    if (!isKept(answer)) count.sealed += 1;
  }
  return count;
}

/**
 * Whether a browser might keep the answer, guess its type, render it, or show it to another origin.
 */
function isKept({ headers }: Answer): boolean {
  const policy = String(headers['content-security-policy']);
  return !(
    headers['cache-control'] === 'no-store' &&
    headers['x-content-type-options'] === 'nosniff' &&
    policy.includes("default-src 'none'") &&
    policy.includes('sandbox') &&
    isUnshared({ headers })
  );
}

function isUnshared({ headers }: Pick<Answer, 'headers'>): boolean {
  return (
    headers['cross-origin-resource-policy'] === 'same-origin' &&
    !Object.keys(headers).some((name) => name.startsWith('access-control-')) &&
    headers['set-cookie'] === undefined
  );
}

function probesOf(site: Site): Probe[] {
  const { a } = site.actors;
  const own = site.addresses[0]!;
  const ids = idsOf(a.records[0]);
  const origins = [
    'https://evil.example',
    'null',
    own.replace('127.0.0.1', '127.0.0.1.evil.example'),
    own.replace(/:\d+$/, ''),
    own.replace(/:\d+$/, ':1'),
    own.replace('http:', 'https:'),
    `${own}.evil.example`,
    own.toUpperCase(),
  ];
  return [
    ...simpleRequests(ids, a.token),
    ...preflights(ids, origins),
    ...reads(ids, a.token, origins),
    ...others(ids, a),
  ];
}

/**
 * What a form or a script without a preflight can send: three types or none, and no Authorization.
 */
function simpleRequests(ids: Ids, token: string): Probe[] {
  const types: [string, (json: string) => string][] = [
    ['text/plain', (json) => json],
    ['text/plain;charset=application/json', (json) => json],
    ['application/x-www-form-urlencoded', (json) => `${encodeURIComponent(json)}=`],
    [
      'multipart/form-data; boundary=x',
      (json) => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${json}\r\n--x--`,
    ],
    ['', (json) => json],
  ];
  const site = {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors',
  };
  return writing.flatMap((name) => {
    const isOpen = endpoints[name].access === 'public';
    const json = JSON.stringify(
      (isOpen ? openBodies[name] : bodyOf(name as (typeof guardedNames)[number], ids)) ?? {},
    );
    return types.flatMap(([type, write]) => {
      const headers = { ...site, 'content-type': type, cookie: `token=${token}; session=${token}` };
      const call = callOf(name, ids, { headers, body: write(json) });
      const asQuery = { ...call, path: `${call.path}?token=${token}&access_token=${token}` };
      const asField = { ...call, body: `${String(call.body)}&token=${token}` };
      const statuses = isOpen ? [415, 422] : [401];
      const isBlocked = (answer: Answer) => statuses.includes(answer.status) && isUnshared(answer);
      const signedIn = { ...call, headers: { ...headers, authorization: `Bearer ${token}` } };
      const of = `${name} as ${type === '' ? 'no type' : type}`;
      return [
        ...[call, asQuery, asField].map((one) => ({ of, call: one, isBlocked })),
        // Even with a token: JSON alone, so that no form can speak for the portal. A call that
        // takes no body reads none.
        ...(isOpen || !takesBody(name)
          ? []
          : [
              {
                of: `${of} with a token`,
                call: signedIn,
                isBlocked: ({ status }: Answer) => [415, 422].includes(status),
              },
            ]),
      ];
    });
  });
}

/**
 * What changes something in the office, with the cookie of an owner, from other pages, from none,
 * and as a form sends it from its own: refused before anything is read.
 */
function officeProbes({ addresses: [own] }: Site, owner: Member): Probe[] {
  const { cookie } = officeHeaders(owner, own!);
  const ids = Object.fromEntries(
    [
      'tenantId',
      'unitId',
      'facilityId',
      'requestId',
      'staffId',
      'noteId',
      'templateId',
      'changeId',
      'passkeyId',
    ].map((name) => [name, randomUUID()]),
  );
  const elsewhere = { 'sec-fetch-site': 'cross-site' };
  const pages: [of: string, headers: Record<string, string>, statuses: number[]][] = [
    ['no page', {}, [403]],
    ['another origin', { origin: 'https://evil.example' }, [403]],
    ['a sandboxed frame', { origin: 'null' }, [403]],
    ['another port', { origin: own!.replace(/:\d+$/, ':1') }, [403]],
    ['another scheme', { origin: own!.replace('http:', 'https:') }, [403]],
    ['a longer name', { origin: `${own!}.evil.example` }, [403]],
    ['the same site', { 'sec-fetch-site': 'same-site' }, [403]],
    ['its own origin, by a frame of another', { origin: own!, ...elsewhere }, [403]],
    ['its own form', { origin: own!, 'content-type': 'text/plain' }, [409, 415, 422]],
  ];
  return Object.values<OfficeEndpoint>(officeEndpoints)
    .filter(({ method, body }) => method !== 'GET' && body !== undefined)
    .flatMap(({ name, method, path }) =>
      pages.map(([page, headers, statuses]) => ({
        of: `${name} of the office from ${page}`,
        call: {
          method,
          path: `/api${pathOf(path, ids)}`,
          headers: { cookie: cookie!, ...headers },
          body: '{}',
        },
        isBlocked: (answer: Answer) => statuses.includes(answer.status) && isUnshared(answer),
      })),
    );
}

function takesBody(name: EndpointName): boolean {
  const endpoint: Endpoint = endpoints[name];
  return endpoint.body !== undefined;
}

const openBodies: Partial<Record<EndpointName, object>> = {
  login: { username: 'a@example.com', password: 'x', locationCode: 'X', corporationCode: 'ANCHOR' },
  register: { email: 'a@example.com', locationCode: 'X', corporationCode: 'ANCHOR' },
};

/**
 * The preflight of a request with a token, a JSON body or another method: no other origin is
 * allowed.
 */
function preflights(ids: Ids, origins: string[]): Probe[] {
  return names.flatMap((name) =>
    origins.map((origin) => ({
      of: `preflight of ${name} from ${origin}`,
      call: {
        ...callOf(name, ids),
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': endpoints[name].method,
          'access-control-request-headers':
            'authorization,content-type,idempotency-key,session-proof',
          'access-control-request-private-network': 'true',
        },
      },
      isBlocked: (answer) => answer.status >= 400 && isUnshared(answer),
    })),
  );
}

/**
 * Even a request with a token, which no other origin has: what comes back is for our own page
 * alone.
 */
function reads(ids: Ids, token: string, origins: string[]): Probe[] {
  return origins.map((origin) => ({
    of: `a read from ${origin}`,
    call: callOf('getTenant', ids, { token, headers: { origin } }),
    isBlocked: (answer) => answer.status === 200 && isUnshared(answer) && !isKept(answer),
  }));
}

/** Frames, other names for a method, and answers that a cache would have. */
function others(ids: Ids, { token }: Person): Probe[] {
  const headers = { origin: 'https://evil.example' };
  const pages = [
    '/',
    '/login',
    '/billing-info',
    '/nothing-here',
    '/mailbox',
    '/docs',
    '/healthz',
    '/openapi.json',
  ];
  const tenant = callOf('getTenant', ids, { token });
  return [
    ...pages.map((path) => ({
      of: `a frame of ${path}`,
      call: { method: 'GET', path, headers },
      isBlocked: (answer: Answer) =>
        String(answer.headers['content-security-policy']).includes("frame-ancestors 'none'") &&
        isUnshared(answer),
    })),
    ...['x-http-method-override', 'x-method-override', 'x-http-method'].map((name) => ({
      of: `a read that would be a write by ${name}`,
      call: { ...callOf('getTenant', ids, { token }), headers: { ...headers, [name]: 'PATCH' } },
      isBlocked: (answer: Answer) => answer.status === 200,
    })),
    ...(['if-none-match', 'if-modified-since'] as const).map((name) => ({
      of: `an answer that was kept, by ${name}`,
      call: {
        ...tenant,
        headers: { [name]: name === 'if-none-match' ? '*' : testClock.now().toUTCString() },
      },
      isBlocked: (answer: Answer) =>
        answer.status === 200 && answer.headers.etag === undefined && !isKept(answer),
    })),
    ...['HEAD', 'TRACE'].map((method) => ({
      of: `${method} of a record without a token`,
      call: { ...callOf('getTenant', ids), method, headers },
      isBlocked: ({ status, text }: Answer) => status >= 400 && !text.includes(token),
    })),
  ];
}
