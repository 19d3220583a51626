import { randomBytes, randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { pathOf } from '@gatehouse/contract/endpoint';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import {
  officeEndpoints,
  type OfficeEndpointName,
} from '@gatehouse/contract/office/office-endpoints';
import { raiseAlarm } from '@gatehouse/server/src/features/base/alarms/alarms.ts';
import { hashPassword } from '@gatehouse/server/src/features/people/session/password.ts';
import { staffKeys } from '@gatehouse/server/src/features/people/staff/staff-keys.fixture.ts';
import { hashToken, newStaffToken } from '@gatehouse/server/src/http/token.ts';
import {
  makeAutopay,
  makeFacility,
  makePaymentMethod,
  makeTenant,
} from '@gatehouse/server/src/seeds/builders.ts';
import { useTestApp } from '@gatehouse/server/test/app.ts';
import { mailsTo } from '@gatehouse/server/test/mails.ts';
import {
  makeOwingRental,
  makeRentalOf,
  type OwingRental,
} from '@gatehouse/server/test/owing-rental.ts';
import { makeRepliedRequest } from '@gatehouse/server/test/replied-request.ts';
import { addRows, changeRows, getRow } from '@gatehouse/server/test/rows.ts';
import { sumOfTables } from '@gatehouse/server/test/sum-of-tables.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonOf, type Answer, type Call } from '../harness/client.ts';
import { park, sendTo, type Parked } from '../harness/park.ts';
import { makeMember, officeHeaders, type Member } from '../harness/staff.ts';

/** Every call of staff that is sent a body, so that it can be parked. */
const names = (Object.keys(officeEndpoints) as OfficeEndpointName[]).filter((name) => {
  const { method, role } = endpointOf(name);
  return method !== 'GET' && role !== null;
});

function endpointOf(name: OfficeEndpointName): OfficeEndpoint {
  return officeEndpoints[name];
}

/** Those of them that only read; what needs a signature is refused before it writes. */
const readings = ['addStaffPasskey', 'rentals.quote', 'verifyAudit'];

const PASSWORD = 'harbor gate 8123';
const OFFICE = 'http://localhost';
const HERE = 'TXOFF01';

const api = useTestApp('empty_template');
let here: string;
let there: string;
let passwordHash: string;
/** An owner who revokes. */
let desk: Member;
beforeAll(async () => {
  const settings = { location_code: HERE, return_fee_cents: 2500, deposit_cents: 5000 };
  here = await makeFacility(api.owner, settings);
  there = await makeFacility(api.owner, { location_code: 'AZPHX01' });
  passwordHash = await hashPassword(PASSWORD);
  desk = await makeMember(api.owner, 'owner');
});

const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());

/** A member whose password is PASSWORD, in a session of its own. */
async function newMember(name: OfficeEndpointName): Promise<Member> {
  const member = await (endpointOf(name).role === 'owner'
    ? makeMember(api.owner, 'owner')
    : makeMember(api.owner, 'manager', [here, there]));
  await changeRows(
    api.owner,
    'staff_members',
    { password_hash: passwordHash },
    { id: member.staffId },
  );
  return member;
}

/** Does a verb as the desk. */
async function done(name: OfficeEndpointName, body: object): Promise<Record<string, string>> {
  const answer = await sendTo(api.app, callOf(name, desk, { body: bodyOfVerb(body) }));
  if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
  return jsonOf(answer) as Record<string, string>;
}

const newForm = (name: string) => ({ name, text: 'For {unit}\n\n{signature}' });

async function documentOf(ledgerId: string, name: string): Promise<object> {
  return { ledgerId, formId: (await done('forms.add', newForm(name))).formId };
}

const bodyOfVerb = (body: object) => ({
  key: randomUUID(),
  why: 'asked',
  isPreview: false,
  locationCode: HERE,
  ...body,
});

function callOf(name: OfficeEndpointName, member: Member, { params, body }: Given): Call {
  const { method, path } = endpointOf(name);
  const headers = officeHeaders(member, OFFICE);
  return { method, path: `/api${pathOf(path, params)}`, headers, body };
}

type Given = {
  params?: Record<string, string>;
  body?: object;
  /** What the call is answered where nothing is revoked, if not 200. */
  status?: number;
};

const by = () => ({ by_name: 'June Park', created_at: api.ctx.clock.now() });
const at = { facilityId: () => ({ facilityId: here }) };

async function paid({ ledgerId }: OwingRental, amount = 100): Promise<{ receiptNumber: string }> {
  const check = { type: 'check', number: '1042', amount, isPrepaid: true };
  const { receiptNumber } = await done('payments.record', { ledgerIds: [ledgerId], ...check });
  return { receiptNumber: receiptNumber! };
}

async function passkeyOf({ staffId }: Member): Promise<Record<string, string>> {
  const id = randomUUID();
  await addRows(api.owner, 'staff_passkeys', {
    id,
    staff_id: staffId,
    credential_id: randomBytes(20),
    public_key: randomBytes(77),
    counter: 0,
    is_synced: true,
    name: 'A key',
    created_at: api.ctx.clock.now(),
  });
  return { passkeyId: id };
}

/** Password and a code, of an authenticator app that the member is given. */
async function proofOf({ staffId }: Member): Promise<{ password: string; code: string }> {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  await changeRows(
    api.owner,
    'staff_members',
    { totp_secret: api.ctx.vault.seal('totpSecret', staffId, secret) },
    { id: staffId },
  );
  return { password: PASSWORD, code: await staffKeys(api).codeOf(secret) };
}

/** Ends the imports under way, of which there is one at a time; previews stay. */
async function endImports(): Promise<void> {
  await changeRows(
    api.owner,
    'lease_imports',
    { state: 'cancelled', given: null, ended_at: api.ctx.clock.now() },
    { ended_at: null, is_preview: false },
  );
}

/** A further member, whom owners act on. */
const another = async () => ({ staffId: (await makeMember(api.owner, 'clerk', [here])).staffId });
const reaches = { role: 'manager', isForAllFacilities: false, locationCodes: [HERE] };

/** What each call is sent that is of no verb; a new one has its line here. */
const calls: Record<string, (rental: OwingRental, member: Member) => Given | Promise<Given>> = {
  officeSignOut: () => ({}),
  endStaffSession: () => ({ body: { session: null } }),
  beginSecondStep: async (_, member) => ({ body: await proofOf(member) }),
  // A wrong code is counted.
  confirmSecondStep: () => ({ body: { code: '123456' }, status: 422 }),
  staffPasskeyOptions: async (_, member) => ({ body: await proofOf(member) }),
  addStaffPasskey: () => ({
    body: {
      name: 'A phone',
      credential: { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
    },
    status: 422,
  }),
  renameStaffPasskey: async (_, member) => ({
    params: await passkeyOf(member),
    body: { name: 'An old phone' },
  }),
  removeStaffPasskey: async (_, member) => ({
    params: await passkeyOf(member),
    body: await proofOf(member),
  }),
  addNote: ({ tenantId }) => ({
    params: { tenantId },
    body: { key: randomUUID(), text: 'A note.' },
  }),
  async changeNote({ tenantId }) {
    const noteId = randomUUID();
    const note = { id: noteId, tenant_id: tenantId, text: 'Theirs.', removed_at: null };
    const author = { staff_id: null, by_role: null };
    await addRows(api.owner, 'tenant_notes', { ...note, ...author, ...by() });
    return { params: { noteId }, body: { isRemoved: true } };
  },
  keepLateTemplate: () => ({
    params: at.facilityId(),
    body: { key: randomUUID(), name: randomUUID(), subject: 'Pay', text: 'Pay {owed}.' },
  }),
  async removeLateTemplate() {
    const templateId = randomUUID();
    const template = { id: templateId, facility_id: here, name: templateId, subject: 'Pay' };
    await addRows(api.owner, 'late_templates', {
      ...template,
      text: 'Pay.',
      removed_at: null,
      ...by(),
    });
    return { params: { ...at.facilityId(), templateId }, body: {} };
  },
  async answerRequest({ tenantId }) {
    const row = { facility_id: here, tenant_id: tenantId, created_at: api.ctx.clock.now() };
    const requestId = await makeRepliedRequest(api.owner, row);
    const { version } = await getRow(api.owner, 'requests', 'version', { id: requestId });
    const body = { key: randomUUID(), version, reply: 'Done.', status: 'done' };
    return { params: { requestId }, body };
  },
  async importLeases({ unit }) {
    await endImports();
    const sheet = `Unit,Type,Size,Tenant,Move In,Paid Thru,Rent,Balance\nI${unit},RV,12x40,Novak Iva,2024-01-15,2026-11-30,200,0\n`;
    const data = `data:application/octet-stream;base64,${Buffer.from(sheet).toString('base64')}`;
    const files = [{ name: 'rent-roll.csv', bytes: sheet.length }];
    const given = { columns: {}, remedies: [], joined: [], lateFrom: null };
    return { body: { ...given, isPreview: false, files, data, locationCode: HERE } };
  },
  async cancelImport(_, { staffId }) {
    const importId = randomUUID();
    const none = { given: null, report: null, says: null, ended_at: null };
    const step = { step: null, step_done: null, step_total: null };
    await addRows(api.owner, 'lease_imports', {
      id: importId,
      staff_id: staffId,
      is_preview: true,
      state: 'waiting',
      ...none,
      ...step,
      ...by(),
    });
    return { params: { importId }, body: {} };
  },
  changeFacility: () => ({
    params: at.facilityId(),
    body: { key: randomUUID(), why: 'test', isPreview: false, changes: { lateFee: nextFee() } },
  }),
  async cancelFacilityChange() {
    const changeId = randomUUID();
    const change = { id: changeId, facility_id: here, changes: '{"lateFee":9}', why: 'test' };
    await addRows(api.owner, 'facility_changes', {
      ...change,
      on_day: '2099-01-01',
      applied_at: null,
      cancelled_at: null,
      ...by(),
    });
    return { params: { ...at.facilityId(), changeId }, body: { why: 'test' } };
  },
  changeRecipient: () => ({
    params: at.facilityId(),
    body: {
      kind: 'morning_late',
      address: `${randomUUID().slice(0, 8)}@example.com`,
      isRemoved: false,
    },
  }),
  inviteStaff: () => ({
    body: { ...reaches, email: `${randomUUID().slice(0, 8)}@example.com` },
  }),
  changeStaff: async () => ({
    params: await another(),
    body: { ...reaches, why: 'test', isPreview: false },
  }),
  actOnStaff: async () => ({
    params: await another(),
    body: { action: 'disable', why: 'test', isPreview: false },
  }),
  verifyAudit: () => ({ body: {} }),
};

let fee = 10;
const nextFee = () => (fee += 1);
const newUnit = (of: string) => ({
  ...{ units: `N${of.replace(/\D/g, '')}`, typeName: 'Boat', widthFeet: 12, lengthFeet: 30 },
});
const madeUnit = async (of: string) => ({
  unitId: (await done('units.add', newUnit(of)))['unitIds']![0],
});
async function insuranceProofOf(ledger_id: string) {
  const policy = { company: 'Lone Star', policy_number: 'LS-1', starts_on: today() };
  await addRows(api.owner, 'private_policies', { ledger_id, ...policy });
  const { id } = await getRow(api.owner, 'private_policies', 'id', { ledger_id });
  return { proofId: id };
}
const credit = { amount: 25, description: 'Gate was out of order' };
const terms = ({ tenantId, unit }: OwingRental) => ({ tenantId, unit, on: today(), rate: 180 });
const later = (days: number) => addDays(today(), days);

/** The body of each verb; a new one has its line here. */
const verbs: Record<string, (rental: OwingRental) => object | Promise<object>> = {
  'tenants.add': () => ({
    ...{ firstName: 'Max', lastName: 'Voss', email: `${randomUUID().slice(0, 8)}@example.com` },
    ...{ phone: '(817) 555-0100', street1: '1 Pier', city: 'Azle', region: 'TX' },
    postalCode: '76020',
  }),
  'tenants.change': ({ tenantId }) => ({ tenantId, company: 'Reyes Marine LLC' }),
  'tenants.refuse': ({ tenantId }) => ({ tenantId }),
  async 'tenants.accept'({ tenantId }) {
    await done('tenants.refuse', { tenantId });
    return { tenantId };
  },
  'tenants.tax': ({ tenantId }) => ({
    ...{ tenantId, taxes: 'none', paper: 'TX 01-339', on: addDays(today(), 10) },
  }),
  'tenants.recordDeath': ({ tenantId }) => ({ tenantId, name: 'Ann Reyes' }),
  async 'tenants.revokeDeath'({ tenantId }) {
    await done('tenants.recordDeath', { tenantId, name: 'Ann Reyes' });
    return { tenantId };
  },
  'tenants.email': ({ tenantId, email }) => ({ tenantId, email: `new-${email}` }),
  async 'tenants.join'({ tenantId, email }) {
    await makeTenant(api.owner, { facility_id: here, email, first_name: 'Ann' });
    return { tenantId };
  },
  'tenants.invite': () => ({ most: 200 }),
  'payments.mailReceipt': (rental) => paid(rental),
  'payments.record': ({ ledgerId }) => ({ ledgerIds: [ledgerId], type: 'cash', amount: 100 }),
  'payments.refund': async (rental) => ({ ...(await paid(rental)), amount: 20, way: 'cash' }),
  'payments.reverse': async (rental) => ({ ...(await paid(rental)), reason: 'nsf' }),
  async 'payments.allowAccount'({ tenantId }) {
    const fingerprint = randomUUID();
    const now = api.ctx.clock.now();
    const account = { type: 'ach' as const, fingerprint, refused_at: now };
    const made = { tenant_id: tenantId, ...account };
    const methodId = await makePaymentMethod(api.owner, api.ctx.vault, made);
    const stop = { fingerprint, return_code: 'R02', stopped_at: now };
    await addRows(api.owner, 'stopped_accounts', stop);
    return { tenantId, methodId };
  },
  async 'autopay.stop'({ tenantId, ledgerId }) {
    const method = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId });
    await makeAutopay(api.owner, ledgerId, method, api.ctx.clock.now());
    return { ledgerId };
  },
  'payLinks.create': ({ ledgerId }) => ({ ledgerId, isMailed: true }),
  'payLinks.revoke': async ({ ledgerId }) => ({
    payLinkId: (await done('payLinks.create', { ledgerId })).payLinkId,
  }),
  'statements.issue': ({ tenantId }) => ({ tenantId, from: today(), to: today() }),
  'forms.add': ({ unit }) => newForm(unit),
  'forms.retire': async ({ unit }) => ({ formId: (await done('forms.add', newForm(unit))).formId }),
  'documents.send': ({ ledgerId, unit }) => documentOf(ledgerId, unit),
  'documents.resend': async ({ ledgerId, unit }) => ({
    documentId: (await done('documents.send', await documentOf(ledgerId, unit))).documentId,
  }),
  'documents.void': async ({ ledgerId, unit }) => ({
    documentId: (await done('documents.send', await documentOf(ledgerId, unit))).documentId,
  }),
  'drawers.close': () => ({ on: today(), cash: 0, check: 0, moneyOrder: 0 }),
  'charges.add': ({ ledgerId }) => ({
    ...{ ledgerId, category: 'fee', description: 'Lock cut', amount: 15 },
  }),
  'charges.waive': ({ chargeId }) => ({ chargeId, amount: 10 }),
  'charges.writeOff': ({ ledgerId }) => ({ ledgerId, amount: 10 }),
  'journal.account': ({ unit }) => ({ account: 'rent', number: '40100', name: unit }),
  'journal.close': () => ({ month: later(-40).slice(0, 7) }),
  async 'imports.undo'() {
    const { id: staffId } = await getRow(api.owner, 'staff_members', 'id', { role: 'owner' });
    const importId = randomUUID();
    const ended = { is_preview: false, state: 'done' as const, ended_at: api.ctx.clock.now() };
    await endImports();
    await addRows(api.owner, 'lease_imports', {
      id: importId,
      staff_id: staffId,
      ...ended,
      ...by(),
    });
    await addRows(api.owner, 'lease_import_places', {
      ...{ import_id: importId, facility_id: here, leases: 0 },
      imported_at: api.ctx.clock.now(),
    });
    return { importId };
  },
  'units.add': ({ unit }) => newUnit(unit),
  async 'units.renameType'({ unit }) {
    await done('units.add', { ...newUnit(unit), typeName: unit });
    return { typeName: unit, newName: `${unit} covered` };
  },
  'units.rate': async ({ unit }) => ({ ...(await madeUnit(unit)), streetRate: 210 }),
  'units.close': ({ unit }) => madeUnit(unit),
  async 'units.open'({ unit }) {
    const made = await madeUnit(unit);
    await done('units.close', made);
    return made;
  },
  'credits.add': ({ ledgerId }) => ({ ledgerId, ...credit }),
  async 'rentals.assign'({ ledgerId }) {
    const toTenantId = await makeTenant(api.owner, { facility_id: here, first_name: 'Ann' });
    return { ledgerId, toTenantId };
  },
  async 'credits.move'(rental) {
    await paid(rental, 215);
    const toLedgerId = await makeRentalOf(api, here, rental.tenantId, `${rental.unit}b`);
    return { fromLedgerId: rental.ledgerId, toLedgerId, amount: 15 };
  },
  async 'credits.payOut'(rental) {
    await paid(rental, 215);
    return { ledgerId: rental.ledgerId, way: 'check', number: '7' };
  },
  'credits.reverse': async ({ ledgerId }) => ({
    creditId: (await done('credits.add', { ledgerId, ...credit })).creditId,
  }),
  'rentals.quote': terms,
  'rentals.mailQuote': terms,
  'rentals.moveIn': (rental) => ({ ...terms(rental), gateCode: `${rental.unit.slice(1, 7)}#` }),
  'rentals.moveOut': ({ ledgerId }) => ({ ledgerId, on: later(10), credit: 'keep' }),
  'rentals.transfer': ({ ledgerId, unit }) => ({ ledgerId, unit, on: later(10) }),
  'rentals.changeCode': ({ ledgerId }) => ({ ledgerId }),
  'rentals.authorize': ({ ledgerId }) => ({ ledgerId, name: 'Ada Okafor' }),
  'rentals.endAuthorization': async ({ ledgerId }) => ({
    personId: (await done('rentals.authorize', { ledgerId, name: 'Ada Okafor' }))['personId'],
  }),
  'insurance.accept': ({ ledgerId }) => insuranceProofOf(ledgerId),
  'insurance.refuse': async ({ ledgerId }) => ({
    ...(await insuranceProofOf(ledgerId)),
    refusal: 'The coverage is too low.',
  }),
  'rentals.rate': ({ ledgerId }) => ({ ledgerId, amount: 215, on: later(40) }),
  'rentals.tax': ({ ledgerId }) => ({ ledgerId, taxes: 'charged', on: later(10) }),
  async 'rentals.endHold'({ ledgerId }) {
    await done('rentals.hold', { ledgerId });
    return { ledgerId };
  },
  'rentals.hold': ({ ledgerId }) => ({ ledgerId, until: later(10) }),
  'rentals.overlock': ({ ledgerId }) => ({ ledgerId }),
  async 'rentals.release'({ ledgerId }) {
    await done('rentals.overlock', { ledgerId });
    return { ledgerId };
  },
  'notices.send': ({ ledgerId }) => ({
    ...{ ledgerIds: [ledgerId], subject: 'Past due', text: '{owed} is past due.' },
  }),
  'notices.print': ({ ledgerId }) => ({
    ...{ ledgerIds: [ledgerId], subject: 'Past due', text: '{owed} is past due.' },
  }),
  async 'alarms.close'() {
    const key = randomUUID();
    const alarm = { kind: 'card_dispute' as const, sentence: 'A card payment is disputed.' };
    await raiseAlarm(api.ctx, api.ctx.db, { ...alarm, facts: {}, key, facilityId: here });
    const { id } = await getRow(api.owner, 'alarms', 'id', { key });
    return { alarmId: id };
  },
};

async function givenFor(name: OfficeEndpointName, member: Member): Promise<Given> {
  const rental = await makeOwingRental(api, here);
  const verb = verbs[name];
  if (verb !== undefined) return { body: bodyOfVerb(await verb(rental)) };
  return calls[name]!(rental, member);
}

async function send(name: OfficeEndpointName, as: Member, given: Given): Promise<Answer> {
  const answer = await sendTo(api.app, callOf(name, as, given));
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
  return answer;
}

const change = (member: Member, body: object) =>
  send('changeStaff', desk, {
    params: { staffId: member.staffId },
    body: { why: 'test', isPreview: false, ...body },
  });
const act = (member: Member, action: string) =>
  send('actOnStaff', desk, {
    params: { staffId: member.staffId },
    body: { action, why: 'test', isPreview: false },
  });

/** What ends or narrows the access of a session, and how its calls are refused. */
const revocations: Record<
  string,
  { revoke: (member: Member) => Promise<unknown>; status: number }
> = {
  'the sign-out': { revoke: (member) => send('officeSignOut', member, {}), status: 401 },
  'its end from another session': {
    async revoke(member) {
      const other = { ...member, token: newStaffToken() };
      const times = { created_at: api.ctx.clock.now(), last_seen_at: api.ctx.clock.now() };
      await addRows(api.owner, 'staff_sessions', {
        token_hash: hashToken(other.token),
        staff_id: member.staffId,
        ...times,
      });
      await send('endStaffSession', other, { body: { session: null } });
    },
    status: 401,
  },
  'disabling the account': { revoke: (member) => act(member, 'disable'), status: 401 },
  'a reset of the second step': {
    revoke: (member) => act(member, 'resetSecondStep'),
    status: 401,
  },
  'a new password': {
    async revoke(member) {
      await act(member, 'invite');
      const { email } = await getRow(api.owner, 'staff_members', 'email', { id: member.staffId });
      const token = /invitation#([\w-]+)/.exec((await mailsTo(api, email)).at(-1)!.text)![1];
      const body = { token, name: member.name, password: `${PASSWORD} new` };
      await send('acceptInvitation', desk, { body });
    },
    status: 401,
  },
  'a lower role': {
    revoke: (member) =>
      change(
        member,
        member.role === 'owner'
          ? { role: 'manager', isForAllFacilities: true, locationCodes: [] }
          : { role: 'clerk', isForAllFacilities: false, locationCodes: [HERE, 'AZPHX01'] },
      ),
    status: 401,
  },
  'fewer facilities': {
    revoke: (member) =>
      change(member, {
        role: 'manager',
        isForAllFacilities: false,
        locationCodes: ['AZPHX01'],
      }),
    status: 404,
  },
};

describe('a call of staff whose body arrives after what it was allowed by was revoked', () => {
  test('is sent here for every call of the office that changes something', () => {
    expect([...Object.keys(calls), ...Object.keys(verbs)].toSorted()).toEqual(names.toSorted());
  });

  // asvs 7.4.1, 7.4.2, 8.3.1
  test.each(Object.entries(revocations))(
    'by %s writes nothing, at every call',
    async (way, { revoke, status }) => {
      const parkedNames = names.filter(
        (name) => way !== 'fewer facilities' || endpointOf(name).role !== 'owner',
      );
      const all: { name: OfficeEndpointName; member: Member; parked: Parked }[] = [];
      for (const name of parkedNames) {
        const member = await newMember(name);
        const call = callOf(name, member, await givenFor(name, member));
        all.push({ name, member, parked: await park(api.app, call) });
      }
      for (const { member } of all) await revoke(member);
      const before = await sumOfTables(api.owner);
      const answers: [string, number][] = [];
      for (const { name, parked } of all) answers.push([name, (await parked.release()).status]);
      expect(await sumOfTables(api.owner)).toEqual(before);
      // What was revoked may have taken away what the call is about.
      const allowed = answers.filter(([, given]) => given !== status && given !== 404);
      expect(allowed.map(([name]) => name).toSorted()).toEqual(
        readings.filter((name) => parkedNames.some((one) => one === name)),
      );
    },
  );

  test('would have been answered and have written, but for those that only read', async () => {
    const odd: unknown[] = [];
    const unwritten: string[] = [];
    for (const name of names) {
      const member = await newMember(name);
      const given = await givenFor(name, member);
      const before = await sumOfTables(api.owner);
      const answer = await (await park(api.app, callOf(name, member, given))).release();
      if (answer.status !== (given.status ?? 200)) odd.push([name, answer.status, answer.text]);
      const after = await sumOfTables(api.owner);
      if (JSON.stringify(after) === JSON.stringify(before)) unwritten.push(name);
    }
    expect(odd).toEqual([]);
    expect(unwritten.toSorted()).toEqual(readings);
  });
});
