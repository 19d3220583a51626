import type { Endpoint } from '@gatehouse/contract/endpoint';
import { MEMBER_HEADER, type OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { OFFICE_COOKIE } from '@gatehouse/server/src/http/staff-guard.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { brokenHeads, hostileNumbers, hostileTexts, hostileValues, otherPaths } from './hostile.ts';
import { drawValue, placesOf, put, type Known } from '../harness/shapes.ts';

/** One request as it goes out. `isWhole`: the server can answer it as it is. */
export type FuzzRequest = { name: string; bytes: Buffer; isWhole: boolean; isHead: boolean };

/** A call of the portal's contract, or of the office's. */
export type Operation = Endpoint | OfficeEndpoint;

type Draft = { method: string; path: string; headers: string[]; body: Buffer | null };

/** What is done to a request that was good, by how often. */
const kinds = { hostile: 6, broken: 7, text: 3, path: 3, head: 3, raw: 1 };

/**
 * Request number `index` of a seed: the same one each time, to the byte, for the same names.
 * `known` has the world's own ids by the names of the contract, a live `token`, and another
 * `spareToken` for what ends a session; the same of staff (`staffToken`, whose member is
 * `signedInId`, and `spareStaffToken`).
 */
export function planRequest(
  seed: number,
  index: number,
  operations: Operation[],
  known: Known,
): FuzzRequest {
  const random = randomOf(seed * 100_000 + index);
  const kind = random.weighted(kinds);
  const operation = operations[index % operations.length]!;
  const name = `${index} ${operation.name} ${kind}`;
  if (kind === 'raw') return { name, bytes: rawBytes(random), isWhole: false, isHead: false };
  const draft = draftOf(random, operation, known, kind);
  if (kind === 'path') draft.path = breakPath(random, draft.path);
  if (kind === 'head') breakHead(random, draft);
  return { name, bytes: bytesOf(draft), isWhole: true, isHead: draft.method === 'HEAD' };
}

function draftOf(
  random: Random,
  operation: Operation,
  known: Known,
  kind: keyof typeof kinds,
): Draft {
  const headers = ['Content-Type: application/json', ...credentials(random, operation, known)];
  if (random.chance(0.2))
    headers.push(`Idempotency-Key: ${random.chance(0.8) ? random.uuid() : 'x'.repeat(300)}`);
  return {
    method: operation.method,
    path: pathOf(random, operation, known, kind),
    headers,
    body:
      operation.method === 'GET' && random.chance(0.9)
        ? null
        : bodyOf(random, operation, known, kind),
  };
}

function credentials(random: Random, operation: Operation, known: Known): string[] {
  return isOfOffice(operation)
    ? officeCredentials(random, operation, known)
    : authorization(random, operation as Endpoint, known);
}

/** Whether it is a call of the office, which is made with a cookie and from a page of its own. */
export function isOfOffice({ path }: Operation): boolean {
  return path.startsWith('/office/');
}

function officeCredentials(random: Random, { access, name }: Operation, known: Known): string[] {
  const token = name === 'officeSignOut' ? known.spareStaffToken! : known.staffToken!;
  const dead = `rot_${'A'.repeat(43)}`;
  const odd = ['', '=', `${token}; ${OFFICE_COOKIE}=${token}`, 'x'.repeat(4000), '"é"', '%zz'];
  const kind = random.weighted({ own: access === 'public' ? 1 : 10, none: 1, dead: 1, odd: 1 });
  const cookie = { own: token, none: null, dead, odd: random.pick(odd) }[kind];
  const origin = random.weighted({ own: 10, other: 1, none: 1 });
  const named = random.weighted({ own: 10, other: 1, none: 1 });
  return [
    ...(cookie === null ? [] : [`Cookie: ${OFFICE_COOKIE}=${cookie}`]),
    ...{ own: ['Origin: http://127.0.0.1'], other: ['Origin: https://evil.example'], none: [] }[
      origin
    ],
    ...{
      own: [`${MEMBER_HEADER}: ${known.signedInId!}`],
      other: [`${MEMBER_HEADER}: ${known.staffId!}`],
      none: [],
    }[named],
  ];
}

function authorization(random: Random, { access, name }: Endpoint, known: Known): string[] {
  const token = name === 'logout' ? known.spareToken! : known.token!;
  const odd = [
    '',
    'Bearer',
    'Bearer ',
    'Basic eDp5',
    `Bearer ${token} ${token}`,
    `Bearer ${'x'.repeat(4000)}`,
    'Bearer é',
  ];
  const text = random.weighted({ own: access === 'public' ? 1 : 8, none: 1, dead: 1, odd: 1 });
  switch (text) {
    case 'own':
      return [`Authorization: Bearer ${token}`];
    case 'none':
      return [];
    case 'dead':
      return [`Authorization: Bearer rvt_${'A'.repeat(43)}`];
    case 'odd':
      return [`Authorization: ${random.pick(odd)}`];
  }
}

function pathOf(
  random: Random,
  { path, query }: Operation,
  known: Known,
  kind: keyof typeof kinds,
): string {
  const isBroken = kind === 'broken' && random.chance(0.2);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = isBroken && random.chance(0.5) ? oddId(random, known[name]!) : known[name]!;
    return encodeURIComponent(value.toWellFormed()).replaceAll('%2C', ',');
  });
  if (query === undefined) return `/api${filled}`;
  const values = drawValue(random, query, known, oddOf(kind)) as Record<string, string>; // queries are texts
  const search = new URLSearchParams(
    isBroken ? { ...values, ledgerId: oddId(random, known.ledgerId!) } : values,
  );
  return `/api${filled}?${search.toString()}`;
}

function oddOf(kind: keyof typeof kinds): readonly unknown[] {
  return kind === 'hostile' ? [...hostileTexts, ...hostileNumbers] : [];
}

function oddId(random: Random, own: string): string {
  const list = Array.from({ length: random.pick([2, 50, 51, 60]) }, () => random.uuid()).join(',');
  return random.pick([
    random.uuid(),
    own.toUpperCase(),
    `${own},`,
    `,${own}`,
    `${own},${own}`,
    list,
    ...hostileTexts,
  ]);
}

function bodyOf(
  random: Random,
  { body }: Operation,
  known: Known,
  kind: keyof typeof kinds,
): Buffer | null {
  if (body === undefined)
    return random.chance(0.5) ? null : Buffer.from(JSON.stringify(random.pick(hostileValues)));
  let value = drawValue(random, body, known, oddOf(kind)) ?? {};
  if (kind === 'broken')
    for (let count = random.between(1, 3); count > 0; count -= 1)
      value = put(value, random.pick(placesOf(value)), random.pick(hostileValues)) ?? {};
  const text = JSON.stringify(value);
  return kind === 'text' ? breakText(random, text) : Buffer.from(text);
}

/** Faults of the text itself, which no value of JSON has. */
function breakText(random: Random, text: string): Buffer {
  const inside = text.slice(1, -1);
  const depth = random.pick([50, 500, 5000]);
  switch (random.between(0, 12)) {
    case 0:
      return Buffer.from(text.slice(0, random.between(0, text.length)));
    case 1:
      return Buffer.from(`{${inside},${inside}}`);
    case 2:
      return Buffer.from(`{"__proto__":{"admin":true},${inside}}`);
    case 3:
      return Buffer.from(`{"constructor":{"prototype":{"admin":true}},${inside}}`);
    case 4:
      return Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    case 5:
      return Buffer.from('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
    case 6:
      return Buffer.from(
        text.replaceAll(
          /:(-?\d[\d.e+]*|"[^"]*")/g,
          `:${random.pick(['1e400', '-1e400', 'NaN', '01', '9007199254740993', '1E2', '0x1'])}`,
        ),
      );
    case 7:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
    case 8:
      return Buffer.concat([
        Buffer.from('{"a":"'),
        Buffer.from([0xff, 0xfe, 0x80]),
        Buffer.from(`",${inside}}`),
      ]);
    case 9:
      return Buffer.from(text, 'utf16le');
    case 10:
      return Buffer.from(`${text}${text}`);
    case 11:
      return Buffer.from(`{${inside},"more":"${'x'.repeat(70_000)}"}`);
    default:
      return randomBytes(random, random.between(0, 300));
  }
}

function breakPath(random: Random, path: string): string {
  const at = random.between(1, path.length);
  const odd = [
    '%',
    '%zz',
    '%00',
    '%2e%2e%2f',
    '%ff',
    '%c0%ae',
    '..',
    '//',
    '/./',
    ';',
    '\\',
    '%5c',
    '?',
    '??',
    '&&',
    '[]=',
    '%u0041',
    'é',
    '\u0001',
  ];
  switch (random.between(0, 4)) {
    case 0:
      return random.pick(otherPaths);
    case 1:
      return path.slice(0, at) + random.pick(odd) + path.slice(at);
    case 2:
      return (
        path +
        random.pick([
          '/',
          '/x',
          '?token=x',
          '?ledgerId=a&ledgerId=b',
          '?ledgerId[]=x',
          '?__proto__=x',
          '#x',
        ])
      );
    case 3:
      return path.slice(0, at) + 'a'.repeat(random.pick([101, 2001, 9000])) + path.slice(at);
    default:
      return path.slice(0, at);
  }
}

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'TRACE',
  'SEARCH',
  'QUERY',
];
const contentTypes = [
  '',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/jsonx',
  'a/b/c',
  'application/json, text/html',
  '/',
];
const oddHeaders = [
  'Idempotency-Key: ',
  'Idempotency-Key: \u0007',
  'Content-Encoding: gzip',
  'Accept: text/nothing',
  'Accept-Encoding: \u00ff',
  'Range: bytes=0-0',
  'If-None-Match: *',
  'If-Modified-Since: Nonsense',
  'X-Forwarded-For: \u00e9, 1.2.3.4',
  'X-HTTP-Method-Override: DELETE',
  'Origin: null',
  'Cookie: a=b',
  'Content-Length: 0',
  'Accept-Version: 9.9.9',
  'Host: x',
  'Transfer-Encoding: identity',
];

function breakHead(random: Random, draft: Draft): void {
  if (random.chance(0.4)) draft.method = random.pick(methods);
  if (random.chance(0.5)) draft.headers[0] = `Content-Type: ${random.pick(contentTypes)}`;
  if (random.chance(0.5)) draft.headers.push(random.pick(oddHeaders));
}

function bytesOf({ method, path, headers, body }: Draft): Buffer {
  const length = body === null ? [] : [`Content-Length: ${body.length}`];
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...headers,
    ...length,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), body ?? Buffer.alloc(0)]);
}

function rawBytes(random: Random): Buffer {
  const head = Buffer.from(random.pick(brokenHeads), 'latin1');
  switch (random.between(0, 3)) {
    case 0:
      return randomBytes(random, random.between(1, 2000));
    case 1: {
      const flipped = Buffer.from(head);
      for (let count = 0; count < 4; count += 1)
        flipped[random.between(0, head.length - 1)] = random.between(0, 255);
      return flipped;
    }
    default:
      return head;
  }
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.between(0, 255)));
}
