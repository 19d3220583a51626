import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { pathOf } from '@gatehouse/contract/endpoint';
import type { EndpointName } from '@gatehouse/contract/endpoints';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import {
  officeEndpoints,
  type OfficeEndpointName,
} from '@gatehouse/contract/office/office-endpoints';
import type { ReminderChoices } from '@gatehouse/contract/reminders';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import { stopUrl } from '@gatehouse/server/src/features/rentals/reminders/stop-links.ts';
import { hashPassword } from '@gatehouse/server/src/features/people/session/password.ts';
import { jsonOf, type Answer, type Call } from '../harness/client.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { mustBe, mustBeAtLeast, reported, type Proof, type Stage } from '../harness/proof.ts';
import type { Fault } from '../harness/simulator/journal.ts';
import { readMails } from '@gatehouse/server/test/mails.ts';
import { textsTo } from '@gatehouse/server/test/texts.ts';
import { openSmtpSink, type SmtpSink } from '@gatehouse/server/test/smtp.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { bodyOf, guardedNames, type GuardedName } from './access-matrix.ts';
import type { Person, TenantRecord } from '../harness/actors.ts';
import { makeMember, officeHeaders } from '../harness/staff.ts';
import { runCli } from '../harness/cli.ts';
import { searchFor, type Canary, type Hit, type Place } from '../harness/canaries.ts';
import { payByLinkCall, payLinkCall, payLinkOf } from '../harness/pay-links.ts';
import { newestCodeTo } from '../harness/dead-tokens.ts';
import { openInspector } from '../harness/heap.ts';
import { untilMailsAreSent } from '../harness/until.ts';
import { callOf, idsOf, openSite, recordsOf, urlOf, type Ids, type Site } from '../harness/site.ts';
import { keys, proofVault } from '../harness/world.ts';

/** Each passes what its field asks for and looks like nothing else. */
const PAN = '4716932055182734';
/** Passes Luhn's check, by which a card's number in a text is recognised. */
const TYPED_PAN = '4716938065149278';
const CVV = '^7~q';
const ACCOUNT = '730491826554';
const LICENSE = 'ZK81Q7W2M46';
const PHONE = '8175550173';
const PAPER_NUMBER = 'VR47QK20X9318';
const PASSWORD = 'Pw^canary 7719 Zq';
const STAFF_PASSWORD = 'Ow^canary 2286 Yn';

/** What the servers make their links of. */
const linkContext = { config: readConfig(keys), clock: testClock } as Context; // all that is read

/** Faults of the gateway that come at once; the others are waited for. */
const quickFaults: Fault[] = [
  'error before charge',
  'error after charge',
  'reset mid-answer',
  'garbage answer',
];

/**
 * T14: secrets through every flow and every failure, and then a search of all that is left of them.
 */
export const leakedSecrets: Proof<{ errors: number; heapSeconds: number }> = {
  name: 'T14',
  title:
    'Secrets go through every flow, refusal and fault, and all that is left is searched for them',
  sizes: { small: { errors: 200, heapSeconds: 0 }, full: { errors: 2000, heapSeconds: 60 } },
  async run({ errors, heapSeconds }, seed, stage) {
    const sink = await openSmtpSink();
    const env = { SMTP_URL: sink.url, NODE_OPTIONS: '--inspect=127.0.0.1:0' };
    const site = await openSite(stage, { env });
    const run: Run = { site, sink, stage, answers: [], statuses: new Map() };
    const canaries = await goThroughFlows(run);
    await meetGatewayFaults(run);
    const refused = await forceErrors(run, canaries, errors, randomOf(seed));
    const faults = await meetDatabaseFaults(run);
    await untilMailsAreSent(site.db);
    const places = await readPlaces(run);
    const hits = searchFor(canaries, places);
    for (const hit of hits) stage.say(`  ${formatHit(hit)}`);

    const { inHeap, planted } = await searchHeap(run, canaries, heapSeconds);
    const found = await plantAndSearch(run, canaries, hits);
    const figures = [
      reported('secrets', canaries.length),
      reported('answers that were searched', run.answers.length),
      mustBe('requests that were to be refused and were', refused, errors),
      mustBeAtLeast('answers of 500 and 503 that faults of the database made', faults, 10),
      reported(
        'megabytes of logs, tables, backup, mails, files, metrics and answers',
        megabytes(places),
      ),
      // Else empty places would pass.
      mustBe('places that hold nothing', places.filter(({ text }) => text === '').length, 0),
      mustBe('secrets found in them, in any form', hits.length, 0),
      mustBe('secrets found in the server’s heap', inHeap, 0),
      mustBe('planted secrets that were found', found + planted, PLANTS + 1),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
    await site.close();
    await sink.close();
    return figures;
  },
};

/** `answers` are what the server said, by the endpoint that was called. */
type Run = {
  site: Site;
  sink: SmtpSink;
  stage: Stage;
  answers: Place[];
  statuses: Map<number, number>;
};

async function send(run: Run, name: string, call: Call): Promise<Answer> {
  const answer = await run.site.send(call);
  run.answers.push({
    place: `answer of ${name}`,
    text: `${JSON.stringify(answer.headers)}\n${answer.text}`,
  });
  run.statuses.set(answer.status, (run.statuses.get(answer.status) ?? 0) + 1);
  return answer;
}

async function call(
  run: Run,
  name: EndpointName,
  ids: Ids,
  rest: Omit<Call, 'method' | 'path'>,
): Promise<unknown> {
  const answer = await send(run, name, callOf(name, ids, rest));
  if (answer.status !== 200)
    throw new Error(`${name} was refused: ${answer.status} ${answer.text}`);
  return jsonOf(answer);
}

const card = {
  cardType: 'Visa',
  cardNumber: PAN,
  cardCvv: CVV,
  expirationMonth: '04',
  expirationYear: '2029',
  name: 'Quill Canary',
  postalCode: '76020',
};
const ach = {
  accountType: 'Consumer Checking',
  accountNumber: ACCOUNT,
  routingNumber: '110000000',
};

/** Everything that a tenant does with a secret; answers the secrets with where each may be. */
async function goThroughFlows(run: Run): Promise<Canary[]> {
  const { site } = run;
  const { a } = site.actors;
  const [record] = a.records;
  const { corp: corporationCode, locationCode } = record.place;
  const ids = idsOf(record);
  await sql`UPDATE tenants SET drivers_license_number = NULL, drivers_license_state = NULL, phone = NULL
    WHERE id = ${record.tenantId}`.execute(site.db.owner);

  const { token: registration } = (await call(run, 'register', ids, {
    body: { email: a.email, locationCode, corporationCode },
  })) as { token: string }; // as the endpoint answers
  const code = await newestCodeTo(site.db, a.email);
  await call(run, 'verify', ids, { body: { token: registration, code, corporationCode } });
  await call(run, 'updatePassword', ids, {
    body: { token: registration, password: PASSWORD, corporationCode },
  });
  const { token } = (await call(run, 'login', ids, {
    body: { username: a.email, password: PASSWORD, locationCode, corporationCode },
  })) as { token: string }; // as the endpoint answers
  a.token = token;

  const license = {
    driversLicenseNumber: LICENSE,
    driversLicenseState: 'TX',
    phone: { primary: PHONE },
  };
  await call(run, 'updateTenant', ids, { token, body: license });
  await pay(run, a, 10, { creditCard: card });
  await pay(run, a, 11, { ach });
  await call(run, 'updateAutopay', ids, { token, body: { creditCard: card } });
  await call(run, 'updateAutopay', ids, { token, body: { ach } });
  await call(run, 'createMaintenanceRequest', ids, {
    token,
    body: bodyOf('createMaintenanceRequest', ids)!,
  });
  await call(run, 'requestTenantUpdate', ids, { token, body: bodyOf('requestTenantUpdate', ids)! });
  const made = await send(run, 'payLinks.create', await payLinkCall(site, record.owing.ledgerId));
  const link = payLinkOf(made);
  await send(run, 'getPayLink', { method: 'GET', path: `/api/pay-links/${link.token}` });
  await send(run, 'the page of a pay link', { method: 'GET', path: `/pay/${link.token}` });
  for (const method of [{ creditCard: { ...card, cardCvv: '' } }, { creditCard: card }])
    await send(run, 'payByLink', payByLinkCall(link, method));
  const { url } = (await call(run, 'createCalendarFeed', ids, { token })) as { url: string }; // as the endpoint answers
  await send(run, 'the calendar', { method: 'GET', path: new URL(url).pathname });
  const stop = new URL(stopUrl(linkContext, record.tenantId, 'rent_soon')).pathname;
  for (const method of ['GET', 'POST'])
    await send(run, 'the page that stops reminders', { method, path: stop });
  const textCode = await agreeToTexts(run, record, ids, token);
  await call(run, 'fileVehiclePaper', ids, {
    token,
    body: { ...bodyOf('fileVehiclePaper', ids)!, number: PAPER_NUMBER },
  });
  const ofStaff = await goThroughOffice(run, record);
  const gateCode = record.secrets.find(({ what }) => what === 'code-paid')!.text;
  const reads = guardedNames.filter((one) => callOf(one, ids).method === 'GET');
  // No signed copy is made here.
  for (const name of reads.filter((one) => one !== 'getSignedDocument'))
    await call(run, name, idsOf(record, 'paid'), { token });

  return [
    { what: 'card number', text: PAN, allowed: [] },
    { what: 'security code', text: CVV, allowed: [] },
    { what: 'account number', text: ACCOUNT, allowed: [] },
    { what: 'license', text: LICENSE, allowed: [] },
    { what: 'paper number', text: PAPER_NUMBER, allowed: [] },
    { what: 'password', text: PASSWORD, allowed: [] },
    { what: 'session token', text: token, allowed: ['answer of login'] },
    { what: 'registration token', text: registration, allowed: ['answer of register'] },
    { what: 'verification code', text: code, allowed: ['mail to'] },
    { what: 'code of a text message', text: textCode, allowed: [] },
    // It is the tenant's contact, and is wherever that is, but in no log.
    { what: 'phone', text: PHONE, allowed: ['table ', 'answer of ', 'backup', 'mail to'] },
    { what: 'objection link', text: await tokenInMail(site, 'rqo_'), allowed: ['mail to'] },
    { what: 'pay link', text: link.token, allowed: ['mail to', 'answer of payLinks.create'] },
    {
      what: 'calendar address',
      text: /cal_[\w-]+/.exec(url)![0],
      allowed: ['answer of createCalendarFeed', 'answer of getCalendarFeed'],
    },
    { what: 'link that stops reminders', text: /rmd_[\w-]+/.exec(stop)![0], allowed: [] },
    {
      what: 'gate code',
      text: gateCode,
      allowed: ['listGateAccess', 'getUnitGateAccess', 'getOverview', 'viewAsTenant'].map(
        (name) => `answer of ${name}`,
      ),
    },
    ...ofStaff,
  ];
}

/** Agrees to text messages, and confirms the phone; answers the code that came to it. */
async function agreeToTexts(
  run: Run,
  { place }: TenantRecord,
  ids: Ids,
  token: string,
): Promise<string> {
  const { owner } = run.site.db;
  await sql`UPDATE facilities SET sends_reminders = true, sends_texts = true WHERE id = ${place.facilityId}`.execute(
    owner,
  );
  const { texts } = (await call(run, 'getReminders', ids, { token })) as ReminderChoices; // as the endpoint answers
  await call(run, 'requestTexts', ids, { token, body: { consent: texts!.consent } });
  const [text] = await textsTo({ owner, ctx: { vault: proofVault } }, `+1${PHONE}`);
  const code = /\b\d{8}\b/.exec(text!.body)![0];
  await call(run, 'confirmTexts', ids, { token, body: { code } });
  return code;
}

/**
 * What staff do in the office: sign in, set up a second step, invite a member, read all that there
 * is about the record, and type a card's number where it is refused.
 */
async function goThroughOffice(run: Run, record: TenantRecord): Promise<Canary[]> {
  const { site } = run;
  const { owner } = site.db;
  const [address] = site.addresses;
  const { staffId } = await makeMember(owner, 'owner');
  const { email } = await owner
    .updateTable('staff_members')
    .set({ password_hash: await hashPassword(STAFF_PASSWORD) })
    .where('id', '=', staffId)
    .returning('email')
    .executeTakeFirstOrThrow();
  const post = (name: OfficeEndpointName, body: object, headers: Record<string, string>) =>
    send(run, name, { method: 'POST', path: `/api${officeEndpoints[name].path}`, headers, body });
  const signedIn = await post(
    'officeSignIn',
    { email, password: STAFF_PASSWORD },
    { origin: address! },
  );
  const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
  const token = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'));
  const headers = officeHeaders({ token, staffId }, address!);
  const secondStep = await post('beginSecondStep', { password: STAFF_PASSWORD }, headers);
  const { secret } = jsonOf(secondStep) as { secret: string }; // as the call answers
  const invited = {
    email: 'kim@example.com',
    role: 'clerk',
    isForAllFacilities: true,
    locationCodes: [],
  };
  await post('inviteStaff', invited, headers);

  const { id: requestId } = await owner
    .selectFrom('requests')
    .select('id')
    .where('tenant_id', '=', record.tenantId)
    .limit(1)
    .executeTakeFirstOrThrow();
  const ids = { ...idsOf(record), facilityId: record.place.facilityId, staffId, requestId };
  const queries: Record<string, string> = {
    getRevenue: '?from=2026-01-01&to=2026-12-31',
    getPaperOfRental: `?vehicleId=${ids.vehicleId}`,
    getJournal: '?from=2026-11-01&to=2026-11-30&basis=cash',
    getReportTable: '?report=prepaid&to=2026-11-24',
    getReportPaper: '?report=prepaid&to=2026-11-24',
  };
  for (const [name, call] of Object.entries<OfficeEndpoint>(officeEndpoints)) {
    // There is no photo, no signed copy, no import, no printed letter and no form that is a PDF.
    const none = [
      ...['getRequestPhoto', 'getOfficeDocument', 'getImport', 'getLateLetters'],
      'getFormSample',
    ];
    if (call.method !== 'GET' || none.includes(name)) continue;
    const query = queries[name] ?? queryOf(name);
    const which =
      name === 'getFinalStatement' ? { ...ids, ledgerId: record.movedOut.ledgerId } : ids;
    const path = `/api${pathOf(call.path, which)}${query}`;
    const answer = await send(run, name, { method: 'GET', path, headers });
    if (answer.status !== 200)
      throw new Error(`${name} was refused: ${answer.status} ${answer.text}`);
  }
  const { ledgerId } = record.owing;
  const cash = { ledgerIds: [ledgerId], type: 'cash', amount: 1, isPrepaid: true };
  const typed: [OfficeEndpointName, object][] = [
    ['addNote', { text: `Pays by ${TYPED_PAN}` }],
    ['keepLateTemplate', { name: 'First', subject: 'Late', text: `Pay by ${TYPED_PAN}` }],
    ['answerRequest', { version: 0, reply: `We charge ${TYPED_PAN}`, status: null }],
    ['charges.add', { ledgerId, category: 'fee', description: TYPED_PAN, amount: 1, why: 'Asked' }],
    ['credits.add', { ledgerId, amount: 1, description: `Card ${TYPED_PAN}`, why: 'Asked' }],
    ['payments.record', { ...cash, why: `Instead of ${TYPED_PAN}` }],
    ['payments.record', { ...cash, why: `Account ${ACCOUNT}` }],
  ];
  for (const [name, body] of typed) {
    const path = `/api${pathOf(officeEndpoints[name].path, ids)}`;
    const given = { isPreview: false, key: randomUUID(), ...body };
    await send(run, name, { method: 'POST', path, headers, body: given });
  }
  const invitation = await tokenInMail(site, INVITATION);
  return [
    { what: 'card number in a text of staff', text: TYPED_PAN, allowed: [] },
    { what: 'password of staff', text: STAFF_PASSWORD, allowed: [] },
    { what: 'session of staff', text: token, allowed: ['answer of officeSignIn'] },
    { what: 'second step of staff', text: secret, allowed: ['answer of beginSecondStep'] },
    { what: 'invitation', text: invitation.slice(INVITATION.length), allowed: ['mail to'] },
  ];
}

/** What the token in the link of an invitation comes after. */
const INVITATION = 'invitation#';

/** The query that a read of the office cannot be made without. */
function queryOf(name: string): string {
  return name === 'getDeposits' || name === 'getDepositDay' ? '?on=2026-11-24' : '';
}

/** The token of the newest link of its kind that was mailed. */
async function tokenInMail({ db: { owner } }: Site, prefix: string): Promise<string> {
  const mails = await readMails({ owner, ctx: { vault: proofVault } });
  const links = mails.flatMap(({ text }) => text.match(new RegExp(`${prefix}[\\w-]+`)) ?? []);
  return links.at(-1)!;
}

function pay(
  run: Run,
  { token, records: [record] }: Person,
  amount: number,
  method: object,
): Promise<Answer> {
  const ids = idsOf(record);
  const { ledgerId, unitId } = ids;
  const body = { payments: [{ ledgerId, unitId, amount }], ...method };
  return send(run, 'makePayment', callOf('makePayment', ids, { token, body }));
}

/** Each fault meets another tenant's payment, so that none waits for another. */
async function meetGatewayFaults(run: Run): Promise<void> {
  const { actors, simulator } = run.site;
  const people = [actors.b, actors.c, actors.d, actors.e];
  for (const [index, fault] of quickFaults.entries()) {
    const cents = 2000 + index;
    await simulator.script(cents, fault);
    await pay(run, people[index]!, cents / 100, { creditCard: card });
  }
}

const openBodies: Partial<Record<EndpointName, object>> = {
  register: { email: 'a@example.com', locationCode: 'TXDFW03', corporationCode: 'ANCHOR' },
  verify: { token: 'rgt_none', code: '00000000', corporationCode: 'ANCHOR' },
  updatePassword: { token: 'rgt_none', password: 'harbor gate 82', corporationCode: 'ANCHOR' },
  login: {
    username: 'a@example.com',
    password: 'no',
    locationCode: 'TXDFW03',
    corporationCode: 'ANCHOR',
  },
};

/**
 * Sends this many requests with a misplaced secret; answers how many of them were refused.
 */
async function forceErrors(
  run: Run,
  canaries: Canary[],
  errors: number,
  random: Random,
): Promise<number> {
  const { a } = run.site.actors;
  const ids = idsOf(a.records[0]);
  const bodies = new Map<EndpointName, object>(
    Object.entries(openBodies) as [EndpointName, object][],
  );
  for (const name of guardedNames) {
    const body = bodyOf(name, ids);
    if (body !== undefined && Object.keys(body).length > 0) bodies.set(name, body);
  }
  const named = [...bodies];
  let refused = 0;
  for (let index = 0; index < errors; index += 1) {
    const { text } = canaries[index % canaries.length]!;
    const [name, body] = random.pick(named);
    const call = misplaced(index, text, { name, body, ids, token: a.token }, random);
    const { status, text: said } = await send(run, 'a refusal', call);
    if (status >= 400 && status < 500) refused += 1;
    else
      run.stage.say(
        `  ${call.method} ${call.path}: ${status} ${said.slice(0, 200)} in place of a refusal`,
      );
  }
  return refused;
}

type Target = { name: EndpointName; body: object; ids: Ids; token: string };

/** One wrong place after the other. */
function misplaced(
  index: number,
  secret: string,
  { name, body, ids, token }: Target,
  random: Random,
): Call {
  const call = callOf(name, ids, { token, body });
  const field = random.pick(Object.keys(body));
  const inUrl = encodeURIComponent(secret);
  const wrong: (() => Call)[] = [
    () => ({ ...call, body: { ...body, [field]: [secret] } }),
    () => ({ ...call, body: { ...body, [field]: { [secret]: secret } } }),
    () => ({ ...call, body: [secret] }),
    () => ({ ...call, body: secret }),
    () => ({ ...call, body: JSON.stringify({ [field]: secret }).slice(0, -1) }),
    () => ({
      ...call,
      body: JSON.stringify({ ...body, extra: secret.repeat(70_000 / secret.length) }),
    }),
    () => ({
      ...call,
      body: `secret=${inUrl}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    () => ({ ...call, method: 'GET', path: `/api/${inUrl}`, body: undefined }),
    () => ({
      ...call,
      method: 'GET',
      path: urlOf('getTenant', { ...ids, tenantId: inUrl }),
      body: undefined,
    }),
    () => ({
      ...call,
      method: 'GET',
      path: `${urlOf('listCharges', ids)}?ledgerId=${inUrl}`,
      body: undefined,
    }),
    () => ({
      ...call,
      method: 'GET',
      path: `/api/tokens?token=${inUrl}`,
      body: undefined,
      token: undefined,
    }),
    () => ({ ...callOf('getTenant', ids), token: `${inUrl}x` }),
    () => ({ ...callOf('getTenant', ids), headers: { authorization: `Basic ${inUrl}` } }),
    () => ({
      ...call,
      method: 'GET',
      path: urlOf('getFacility', { ...ids, locationCode: inUrl }),
      body: undefined,
    }),
  ];
  return wrong[index % wrong.length]!();
}

/**
 * The real database refuses rows that hold what was typed, and loses its connections in the middle;
 * answers the 5xx.
 */
async function meetDatabaseFaults(run: Run): Promise<number> {
  const { site } = run;
  const { a } = site.actors;
  const [record] = a.records;
  const { owner } = site.db;
  const before = faultsOf(run);
  const refusing: { table: string; name: GuardedName; body: object }[] = [
    {
      table: 'requests',
      name: 'createMaintenanceRequest',
      body: {
        ...bodyOf('createMaintenanceRequest', idsOf(record))!,
        issueDescription: `${PAN} ${CVV} ${ACCOUNT} ${LICENSE} ${PASSWORD} ${a.token}`,
      },
    },
    {
      table: 'tenant_changes',
      name: 'updateTenant',
      body: {
        alternateContact: {
          firstName: PAN,
          lastName: PASSWORD,
          email: 'lee@example.com',
          phone: '8175550100',
        },
      },
    },
    {
      table: 'vehicles',
      name: 'updateVehicle',
      body: { licensePlate: PAN, description: PASSWORD },
    },
    {
      table: 'further_vehicles',
      name: 'saveVehicle',
      body: { contents: 'boat:1', licensePlate: PAN, description: PASSWORD },
    },
    {
      table: 'payment_methods',
      name: 'updateAutopay',
      body: { creditCard: { ...card, name: `${CVV} ${ACCOUNT}` } },
    },
    { table: 'payment_intents', name: 'makePayment', body: bodyWith(record, { creditCard: card }) },
  ];
  for (const { table, name, body } of refusing) {
    // The message of such an error carries the row.
    await sql`ALTER TABLE ${sql.table(table)} ADD CONSTRAINT planted CHECK (false) NOT VALID`.execute(
      owner,
    );
    for (let twice = 0; twice < 2; twice += 1)
      await send(run, name, callOf(name, idsOf(record), { token: a.token, body }));
    await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT planted`.execute(owner);
  }
  for (let round = 0; round < 4; round += 1) {
    const sent = [cardPayment(run, a), ...recordsOf(site.actors).map(() => login(run, a))];
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()`.execute(owner);
    await Promise.all(sent);
  }
  return faultsOf(run) - before;
}

function bodyWith({ owing }: Person['records'][0], method: object): object {
  return { payments: [{ ledgerId: owing.ledgerId, unitId: owing.unitId, amount: 12 }], ...method };
}

function cardPayment(run: Run, person: Person): Promise<Answer> {
  return pay(run, person, 1.5, { creditCard: card });
}

function login(run: Run, { email, records: [record] }: Person): Promise<Answer> {
  const { corp: corporationCode, locationCode } = record.place;
  const body = { username: email, password: PASSWORD, locationCode, corporationCode };
  return send(run, 'login', callOf('login', idsOf(record), { body }));
}

function faultsOf({ statuses }: Run): number {
  return (statuses.get(500) ?? 0) + (statuses.get(503) ?? 0);
}

/** All that the product leaves behind, each as text. */
async function readPlaces({ site, sink, stage, answers }: Run): Promise<Place[]> {
  const { db } = site;
  const metrics = await site.send({ method: 'GET', path: '/metrics' });
  const socket = new URL(db.url).searchParams.get('host')!;
  return [
    { place: 'log and stderr', text: await site.log() },
    {
      place: 'log of PostgreSQL',
      text: await readFile(join(dirname(socket), 'postgres.log'), 'latin1'),
    },
    { place: 'metrics', text: metrics.text },
    ...(await readTables(site)),
    ...(await readBackup(site, stage)),
    ...sink.received.map(({ to, raw }) => ({ place: `mail to ${to.join()}`, text: unfolded(raw) })),
    ...(await readFiles(stage.folder)),
    ...answers,
  ];
}

/** Lines of a mail that were folded because they were long. */
function unfolded(raw: string): string {
  return `${raw}\n${raw.replace(/=\r?\n/g, '')}`;
}

/** Every row of every table of every schema that has one, as text. */
async function readTables({ db: { owner } }: Site): Promise<Place[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    SELECT schemaname AS schema, tablename AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`.execute(owner);
  const read: Place[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{
      text: string;
    }>`SELECT t::text AS text FROM ${sql.table(`${schema}.${name}`)} t`.execute(owner);
    const text = rows.map((row) => row.text).join('\n');
    if (text !== '') read.push({ place: `table ${schema}.${name}`, text });
  }
  return read;
}

/** A backup as an operator makes it, its packed files unpacked. */
async function readBackup({ db }: Site, stage: Stage): Promise<Place[]> {
  const folder = `${stage.folder}-backup`;
  const env = { DATABASE_URL: db.url, DATA_DIR: stage.folder };
  const { code, out, err } = await runCli(['backup', folder, '--json'], env);
  if (code !== 0) throw new Error(`no backup was made: ${err}`);
  const { path } = JSON.parse(out) as { path: string }; // as the command prints
  const files = await readFiles(path, unpacked);
  await rm(folder, { recursive: true });
  return files.map((file) => ({ ...file, place: `backup ${file.place.replace(path, '')}` }));
}

function unpacked(name: string, bytes: Buffer): Buffer {
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** The data folder of the server: keys, photos, and everything else that is stored there. */
async function readFiles(
  folder: string,
  read = (_name: string, bytes: Buffer): Buffer => bytes,
): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = read(name, await readFile(path));
      // An empty log says nothing of a leak, and nothing against one.
      return { place: `file ${path}`, text: `${bytes.length} bytes\n${bytes.toString('latin1')}` };
    }),
  );
}

/**
 * What the server still holds, a minute after the last request at the latest; and whether a planted
 * text is found so.
 */
async function searchHeap(
  run: Run,
  canaries: Canary[],
  seconds: number,
): Promise<{ inHeap: number; planted: number }> {
  const inspector = await openInspector(await run.site.log());
  await pause(seconds * 1000);
  const plant: Canary = { what: 'planted text', text: 'planted-in-the-heap', allowed: [] };
  // Put together there, so that the line itself does not hold it.
  await inspector.run(
    `globalThis.planted = JSON.parse('"' + ['planted', 'in', 'the', 'heap'].join('-') + '"')`,
  );
  const search = async () =>
    searchFor([...canaries, plant], [{ place: 'heap', text: await inspector.heapTexts() }]);
  const isPlant = ({ what }: Hit) => what === plant.what;
  let hits = await search();
  for (let look = 1; look < LOOKS && !hits.every(isPlant); look += 1) {
    await pause(5000);
    hits = await search();
  }
  await inspector.close();
  const leaks = hits.filter((hit) => !isPlant(hit));
  for (const hit of leaks) run.stage.say(`  ${formatHit(hit)}`);
  return { inHeap: leaks.length, planted: hits.some(isPlant) ? 1 : 0 };
}

/** A secret may stay in the heap for a minute: so often it is searched, five seconds apart. */
const LOOKS = 12;
const PLANTS = 6;

/**
 * A secret in two tables and so in their backup, an answer and a mail, each written otherwise: how
 * many of them the search finds in addition to `before`.
 */
async function plantAndSearch(run: Run, canaries: Canary[], before: Hit[]): Promise<number> {
  const { site, sink, answers } = run;
  const text = (what: string) => canaries.find((canary) => canary.what === what)!.text;
  await sql`INSERT INTO alarms (kind, key, sentence, facts, raised_at) VALUES ('planted', 'planted', '',
    ${JSON.stringify({ body: Buffer.from(`{"n":"${text('card number')}"}`).toString('base64') })}, ${testClock.now()})`.execute(
    site.db.owner,
  );
  answers.push({
    place: 'answer of planting',
    text: `<p>${Array.from(text('security code')).toReversed().join('')}</p>`,
  });
  sink.received.push({
    from: '',
    to: ['planted'],
    at: testClock.now(),
    raw: `X: ${text('account number').match(/.{4}/g)!.join('=\r\n ')}`,
  });
  await sql`INSERT INTO pgboss.job (name, start_after, data) SELECT 'deliver-mail', now() + interval '1 day', jsonb_build_object('x', encode(${text('password')}::bytea, 'hex'))`.execute(
    site.db.owner,
  );
  const where = ({ what, place }: Hit) => `${what} in ${place}`;
  const known = new Set(before.map(where));
  const found = new Set(searchFor(canaries, await readPlaces(run)).map(where));
  return [...found].filter((one) => !known.has(one)).length;
}

function formatHit({ what, form, place }: Hit): string {
  return `${what} ${form} in ${place}`;
}

function megabytes(places: Place[]): number {
  return places.reduce((sum, { text }) => sum + text.length, 0) / 1_000_000;
}
