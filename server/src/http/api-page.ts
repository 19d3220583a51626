import { createElement as h, type ReactNode } from 'react';
import { renderDocument } from '#html/document.ts';
import { pageStyle } from '#html/page-style.ts';
import { SESSION_ABSOLUTE_HOURS, SESSION_IDLE_MINUTES } from './token.ts';

/** A JSON schema, as far as the page reads it. */
type Shape = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
};
type Json = Record<string, { schema?: Shape; example?: unknown } | undefined>;
type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Shape }[];
  requestBody?: { content?: Json };
  responses?: Record<string, { content?: Json } | undefined>;
};
/** An OpenAPI document, as far as the page reads it. */
export type ApiDocument = {
  info: { version: string };
  tags?: { name: string }[];
  paths?: Record<string, Record<string, Operation> | undefined>;
};

type Call = { method: string; path: string; operation: Operation };

/** The page of the API: how to begin, then every call of the document by its subject. */
export function renderApiPage({ info, tags = [], paths = {} }: ApiDocument): string {
  const calls = Object.entries(paths).flatMap(([path, methods = {}]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const subjects = tags.map(({ name }) => ({
    name,
    anchor: name.toLowerCase().replaceAll(/\W+/g, '-'),
    calls: calls.filter(({ operation }) => operation.tags?.includes(name)),
  }));
  return renderDocument(
    { title: 'Gatehouse API', style },
    h(
      'main',
      null,
      h('h1', null, 'Gatehouse API'),
      h(
        'p',
        { className: 'muted' },
        `Version ${info.version}. Every call that the tenant portal makes, for programs. `,
        h('a', { href: '/openapi.json' }, 'OpenAPI document'),
      ),
      h(
        'nav',
        { 'aria-label': 'On this page', className: 'card' },
        linksTo('Begin here', guide),
        linksTo(
          'Calls by subject',
          subjects.map(({ name, anchor }) => ({ title: name, anchor })),
        ),
      ),
      guide.map(({ title, anchor, text }) =>
        h('section', { key: anchor, id: anchor }, h('h2', null, title), ...text),
      ),
      subjects.map(({ name, anchor, calls: own }) =>
        h(
          'section',
          { key: anchor, id: anchor },
          h('h2', null, name),
          own.map((call) => h(CallDetails, { key: call.operation.operationId ?? call.path, call })),
        ),
      ),
    ),
  );
}

function linksTo(heading: string, parts: { title: string; anchor: string }[]): ReactNode {
  return h(
    'div',
    null,
    h('p', { className: 'muted' }, heading),
    h(
      'ul',
      null,
      parts.map(({ title, anchor }) =>
        h('li', { key: anchor }, h('a', { href: `#${anchor}` }, title)),
      ),
    ),
  );
}

function CallDetails({ call: { method, path, operation } }: { call: Call }): ReactNode {
  const body = jsonOf(operation.requestBody?.content);
  const reply = jsonOf(operation.responses?.['200']?.content);
  const { parameters = [], security } = operation;
  const inAddress = parameters.toSorted((a, b) => a.in.localeCompare(b.in));
  return h(
    'details',
    { id: operation.operationId, className: 'card call' },
    h(
      'summary',
      null,
      h('span', { className: 'summary' }, operation.summary),
      h('code', null, h('b', null, method.toUpperCase()), ' ', pathOf(path)),
    ),
    h(
      'p',
      { className: 'muted' },
      security === undefined ? 'No token is needed.' : 'Needs the token of a sign-in.',
    ),
    rowsOf('In the address', inAddress.map(parameterRow)),
    rowsOf('Body', body === undefined ? [] : fieldRows(body.schema ?? {})),
    rowsOf('Answer', reply === undefined ? [] : fieldRows(reply.schema ?? {})),
    reply?.example === undefined ? null : example(JSON.stringify(reply.example, null, 2)),
  );
}

/** A path that breaks between its parts where it is too long for a line. */
function pathOf(path: string): ReactNode[] {
  return path
    .split(/(?=\/)/)
    .flatMap((part, index) => (index === 0 ? [part] : [h('wbr', { key: index }), part]));
}

function jsonOf(content: Json | undefined) {
  return content?.['application/json'];
}

type Row = { name: string; isOptional: boolean; says: string };

function rowsOf(title: string, rows: Row[]): ReactNode {
  if (rows.length === 0) return null;
  return h(
    'table',
    null,
    h('caption', null, title),
    h(
      'tbody',
      null,
      rows.map(({ name, isOptional, says }) =>
        h(
          'tr',
          { key: name },
          h('th', { scope: 'row' }, h('code', null, name)),
          h('td', null, says, isOptional ? h('span', { className: 'muted' }, ', optional') : null),
        ),
      ),
    ),
  );
}

function parameterRow({
  name,
  in: place,
  required,
  schema = {},
}: NonNullable<Operation['parameters']>[number]): Row {
  const says = place === 'query' ? `${kindOf(schema)}, in the query` : kindOf(schema);
  return { name, isOptional: required !== true, says };
}

/** The fields of a shape and of what is in it, each by its path: `payments[].amount`. */
function fieldRows(shape: Shape, path = ''): Row[] {
  if (shape.type === 'array') return fieldRows(shape.items ?? {}, `${path}[]`);
  const rows = (shape.anyOf ?? shape.oneOf ?? shape.allOf ?? []).flatMap((one) =>
    fieldRows(one, path),
  );
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    const own = path === '' ? name : `${path}.${name}`;
    const isOptional = shape.required?.includes(name) !== true;
    rows.push({ name: own, isOptional, says: kindOf(field) }, ...fieldRows(field, own));
  }
  return rows.filter(({ name }, index) => rows.findIndex((row) => row.name === name) === index);
}

/** What a value is, in words. */
function kindOf(shape: Shape): string {
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(kindOf))].join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((one) => JSON.stringify(one)).join(', ');
  if (shape.type === 'array') return `list of ${kindOf(shape.items ?? {})}`;
  const kind =
    words[shape.format ?? ''] ?? words[String(shape.type)] ?? String(shape.type ?? 'any value');
  const limits = [
    shape.exclusiveMinimum === undefined ? null : `above ${shape.exclusiveMinimum}`,
    shape.minimum === undefined || shape.minimum < -(2 ** 52) ? null : `at least ${shape.minimum}`,
    shape.maximum === undefined || shape.maximum > 2 ** 52 ? null : `at most ${shape.maximum}`,
    shape.maxLength === undefined ? null : `at most ${shape.maxLength} characters`,
  ];
  return [kind, ...limits.filter((limit) => limit !== null)].join(', ');
}

const words: Record<string, string> = {
  uuid: 'id',
  'date-time': 'instant',
  date: 'day',
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
};

const code = (text: string) => h('code', null, text);
/** In its own lines: what is wider than the page is scrolled to, by keyboard too. */
const example = (text: string) => h('pre', { tabIndex: 0 }, h('code', null, text));
const paragraph = (...text: ReactNode[]) => h('p', null, ...text);

const guide = [
  {
    title: 'How to sign in',
    anchor: 'how-to-sign-in',
    text: [
      paragraph(
        'Send the address, the password and the facility. The answer has a token for every later call, and the tenant records of that sign-in at the facility.',
      ),
      example(`curl https://portal.example.com/api/users/login \\
  -H 'content-type: application/json' \\
  -d '{"username":"dana@example.com","password":"…",
       "corporationCode":"ANCHOR","locationCode":"TXDFW03"}'`),
      paragraph(
        `A token ends ${SESSION_IDLE_MINUTES} minutes after its last call and ${SESSION_ABSOLUTE_HOURS} hours after the sign-in. Sign out with `,
        code('POST /api/users/logout'),
        '.',
      ),
    ],
  },
  {
    title: 'A first call',
    anchor: 'a-first-call',
    text: [
      paragraph('All that My Units shows of a tenant record, in one answer:'),
      example(`curl -H 'authorization: Bearer rvt_…' \\
  https://portal.example.com/api/corporations/ANCHOR/locations/TXDFW03/tenants/TENANT_ID/overview`),
      paragraph(
        'Ids are those that earlier answers gave. An id of another user is answered like one that does not exist.',
      ),
    ],
  },
  {
    title: 'Errors',
    anchor: 'errors',
    text: [
      paragraph('Every error is a sentence for a person, and nothing was changed:'),
      example('{ "message": "Email is required." }'),
      h(
        'table',
        null,
        h(
          'tbody',
          null,
          [
            ['401', 'No token, or one that has ended: sign in again.'],
            ['402', 'The card or account was declined. Nothing was charged.'],
            ['403', 'A session that is kept on a phone needs a passkey for this call.'],
            ['404', 'There is no such thing, or it is not yours.'],
            ['409', 'Something else came first: read again, then decide.'],
            ['413, 415', 'The body is too large, or is no JSON.'],
            ['422', 'A field is wrong. The sentence names it.'],
            ['429, 503', 'Too many calls, or too much to do: wait for Retry-After seconds.'],
          ].map(([status, says]) =>
            h('tr', { key: status }, h('th', { scope: 'row' }, status), h('td', null, says)),
          ),
        ),
      ),
    ],
  },
  {
    title: 'Money and dates',
    anchor: 'money-and-dates',
    text: [
      paragraph(
        'Amounts are US dollars as numbers with at most two decimals, such as ',
        code('214.5'),
        '. A balance above 0 is owed; one below 0 is a credit.',
      ),
      paragraph(
        'A day, such as ',
        code('2026-11-14'),
        ', is of the facility’s calendar. An instant, such as ',
        code('2026-11-14T15:04:05.000Z'),
        ', is in UTC.',
      ),
    ],
  },
  {
    title: 'Sending a payment again',
    anchor: 'sending-a-payment-again',
    text: [
      paragraph(
        'Give each payment, and each change of autopay, a key of your own in the header ',
        code('Idempotency-Key'),
        ' (1 to 255 plain characters). The same call with the same key is done once and answers the same again, so a call without an answer can be repeated. A new key is a new payment.',
      ),
    ],
  },
];

const { style, source } = pageStyle(`
main { max-width: 56rem; }
h1 { font-size: 28px; }
h2 { margin: 0 0 12px; font-size: 20px; }
section { margin-top: 40px; scroll-margin-top: 16px; }
section > p { margin: 8px 0; max-width: 42rem; }
a { color: var(--brand); text-underline-offset: 3px; }
nav { margin-top: 24px; }
nav div + div { margin-top: 16px; }
nav ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 0 24px; margin: 0; padding: 0; list-style: none; }
nav a { display: flex; align-items: center; min-height: 44px; font-weight: 500; text-decoration: none; }
nav a:hover { text-decoration: underline; }
code, pre { font: 13px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
pre { margin: 12px 0; padding: 12px 16px; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); }
section > pre { background: var(--raised); }
.call { margin: 0 0 8px; padding: 0 16px; }
.call > summary { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 16px; padding: 12px 0; cursor: pointer; }
.call > summary > * { grid-column: 1; }
.call > summary::after { grid-area: 1 / 2 / 3; align-self: center; font-size: 20px; color: var(--muted); content: '+' / ''; }
.call[open] > summary::after { content: '−' / ''; }
.call > summary code { color: var(--muted); }
.call > summary b { display: inline-block; min-width: 5ch; color: var(--brand); }
.call[open] { padding-bottom: 16px; }
.summary { font-weight: 500; }
@media (min-width: 640px) { nav ul { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); } }
table { width: 100%; margin: 16px 0 0; border-collapse: collapse; table-layout: fixed; }
caption { padding: 0 0 4px; text-align: left; font-weight: 650; }
th, td { padding: 8px 16px 8px 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
th { width: 40%; }
section > table th { width: 6rem; }
@media (min-width: 1024px) {
  main { display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: 48px; max-width: 72rem; }
  main > * { grid-column: 2; }
  nav { position: sticky; top: 24px; grid-area: 1 / 1 / span 99; align-self: start; max-height: calc(100vh - 48px);
    margin-top: 0; overflow-y: auto; }
  nav ul { grid-template-columns: 1fr; }
}
`);

/** The page's policy: its style by its hash, and nothing else. */
export const API_PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${source}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
