import { randomUUID } from 'node:crypto';
import { pathOf } from '@gatehouse/contract/endpoint';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { drawValue } from '../fuzz/shapes.ts';
import type { TenantRecord } from '../harness/actors.ts';
import { mustBe, mustBeAtLeast, reported, type Figure, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';
import { makeMember, officeHeaders, type Member } from '../harness/staff.ts';
import { proofVault } from '../harness/world.ts';
import { sql } from 'kysely';
import { bodyOf, guardedNames, statusForOwner } from './access-matrix.ts';
import { endpoints } from '@gatehouse/contract/endpoints';
import { mustNotBeWritten, takeFootprint } from '../harness/footprint.ts';
import { callOf, idsOf, openSite, recordsOf, type Site } from '../harness/site.ts';

/** T15: fields that no form has. */
export const massAssignment: Proof<{ parallel: number }> = {
  name: 'T15',
  title:
    'A PATCH with every field that a record has, every other call and the office’s with them added, and first writes at once',
  sizes: { small: { parallel: 100 }, full: { parallel: 1000 } },
  async run({ parallel }, seed, stage) {
    await using site = await openSite(stage);
    return [
      ...(await addFields(site)),
      ...(await overwrite(site, stage.say)),
      ...(await writeAtOnce(site, parallel)),
      ...(await addToEveryCall(site, stage.say)),
      ...(await addToOfficeCalls(site, seed, stage.say)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

const contact = { firstName: 'Lee', lastName: 'Ng', email: 'lee@example.com', phone: '8175550100' };

/** What an attacker adds, as text so that `__proto__` is a field like others. */
function fieldsOf({ actors }: Site): string[] {
  const theirs = idsOf(actors.b.records[0]);
  const values: Record<string, unknown> = {
    id: theirs.tenantId,
    tenantId: theirs.tenantId,
    tenant_id: theirs.tenantId,
    ledgerId: theirs.ledgerId,
    unitId: theirs.unitId,
    facilityId: actors.there.facilityId,
    facility_id: actors.there.facilityId,
    locationCode: 'AZPHX01',
    corp: 'HARBOR',
    email: 'thief@example.com',
    firstName: 'Thief',
    first_name: 'Thief',
    lastName: 'Thief',
    address: { street1: '1 Thief Street' },
    street1: '1 Thief Street',
    balance: 0,
    balance_cents: 0,
    rentalRate: 1,
    role: 'admin',
    isAdmin: true,
    userId: actors.b.userId,
    password: 'quiet harbor 4471',
    created_at: '2001-01-01',
    drivers_license_number: 'X1',
    phone_primary: '2145550100',
    alternate_email: 'thief@example.com',
    constructor: { prototype: { isAdmin: true } },
    toString: 'x',
  };
  return [
    ...Object.entries(values).map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    ),
    '"__proto__":{"isAdmin":true,"driversLicenseNumber":"X1","driversLicenseState":"TX"}',
  ];
}

/** Each field together with one that may be written: only that one is. */
async function addFields(site: Site): Promise<Figure[]> {
  const { a } = site.actors;
  const { tenantId } = a.records[0];
  const fields = fieldsOf(site);
  const read = async () => {
    const { rows } = await sql<{ row: string }>`
      SELECT (to_jsonb(t) - '{alternate_first_name,alternate_last_name,alternate_email,alternate_phone}'::text[])::text AS row
      FROM tenants t ORDER BY (id = ${tenantId}) DESC, id`.execute(site.db.owner);
    return JSON.stringify(rows);
  };
  const before = await read();
  const alone = await Promise.all(fields.map((field) => patch(site, `{${field}}`)));
  const together = await Promise.all(
    fields.map((field) => patch(site, `{${field},"alternateContact":${JSON.stringify(contact)}}`)),
  );
  const nested = await Promise.all(
    fields.map((field) =>
      patch(site, `{"alternateContact":{${JSON.stringify(contact).slice(1, -1)},${field}}}`),
    ),
  );
  const answers = [...together, ...nested];
  return [
    reported('fields that no form has', fields.length),
    mustBe('refused alone', alone.filter(({ status }) => status === 422).length, fields.length),
    mustBe(
      'answers that are neither 200 nor 422',
      answers.filter(({ status }) => ![200, 422].includes(status)).length,
      0,
    ),
    mustBe(
      'records of which more was written than the alternate contact',
      (await read()) === before ? 0 : 1,
      0,
    ),
  ];
}

/** License and phone are there: they stay. */
async function overwrite(site: Site, say: (line: string) => void): Promise<Figure[]> {
  const bodies = [
    { driversLicenseNumber: 'X1', driversLicenseState: 'TX' },
    { phone: { primary: '2145550100' } },
    { phone: { primary: '2145550100' }, alternateContact: contact },
    { alternateContact: contact, driversLicenseNumber: 'X1', driversLicenseState: 'OK' },
  ];
  const before = await takeFootprint(site.db.owner);
  const answers = await Promise.all(bodies.map((body) => patch(site, JSON.stringify(body))));
  return [
    mustBe(
      'overwritten licenses and phones, refused with 409',
      answers.filter(({ status }) => status === 409).length,
      4,
    ),
    await mustNotBeWritten('tables written by them', site.db.owner, before, say),
  ];
}

/** A record without a license gets one from many at once. */
async function writeAtOnce(site: Site, parallel: number): Promise<Figure[]> {
  const { owner } = site.db;
  const { tenantId } = site.actors.a.records[0];
  await owner
    .updateTable('tenants')
    .set({ drivers_license_number: null, drivers_license_state: null })
    .where('id', '=', tenantId)
    .execute();
  const numbers = Array.from({ length: parallel }, (_, index) => `RACE${index}`);
  const answers = await Promise.all(
    numbers.map((driversLicenseNumber) =>
      patch(site, JSON.stringify({ driversLicenseNumber, driversLicenseState: 'TX' })),
    ),
  );
  const winner = answers.findIndex(({ status }) => status === 200);
  const row = await owner
    .selectFrom('tenants')
    .select('drivers_license_number')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const kept = proofVault.open('license', tenantId, row.drivers_license_number!);
  const notes = await owner
    .selectFrom('tenant_changes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('part', '=', 'license')
    .execute();
  return [
    mustBe(
      'first writes at once that won',
      answers.filter(({ status }) => status === 200).length,
      1,
    ),
    mustBe(
      'first writes at once, refused with 409',
      answers.filter(({ status }) => status === 409).length,
      parallel - 1,
    ),
    mustBe('kept numbers that are not the winner’s', kept === numbers[winner] ? 0 : 1, 0),
    mustBe('notes of the change', notes.length, 1),
  ];
}

/** Every other call that writes, with all the fields added: no other record has changed. */
async function addToEveryCall(site: Site, say: (line: string) => void): Promise<Figure[]> {
  const { a } = site.actors;
  const others = recordsOf(site.actors)
    .filter((record) => !a.records.includes(record))
    .map(({ tenantId }) => tenantId);
  const before = await rowsOf(site, others, a.records[0].email);
  const names = guardedNames.filter(
    (name) => endpoints[name].method !== 'GET' && name !== 'logout',
  );
  let good = 0;
  for (const name of names) {
    const ids = idsOf(a.records[0], name === 'addInsurance' ? 'paid' : 'owing');
    const body = (bodyOf(name, ids) ?? {}) as Record<string, unknown>;
    const own = JSON.stringify(body).slice(1, -1);
    const added = fieldsOf(site).filter((field) => !(/^"(\w+)"/.exec(field)![1]! in body));
    // What the call itself names is its own id's business (T1).
    const safe = added.filter(
      (field) => !(name === 'createMaintenanceRequest' && field.startsWith('"tenantId"')),
    );
    const text = `{${[...(own === '' ? [] : [own]), ...safe].join(',')}}`;
    const { status, text: answer } = await site.send(
      callOf(name, ids, { token: a.token, body: text }),
    );
    if (status === statusForOwner(name)) good += 1;
    else say(`  ${name}: ${status} ${answer}`);
  }
  return [
    mustBe('other calls that write, answered as without the fields', good, names.length),
    mustBe(
      'rows of other records that they changed',
      (await rowsOf(site, others, a.records[0].email)) === before ? 0 : 1,
      0,
    ),
  ];
}

/** What staff add to a body: who did it, for which facilities, and with which rights. */
function staffFields(actors: Site['actors'], other: Member): Record<string, unknown> {
  return {
    by: other.name,
    by_name: other.name,
    byName: other.name,
    staffId: other.staffId,
    staff: { id: other.staffId, role: 'owner', name: other.name },
    role: 'owner',
    isForAll: true,
    isAll: true,
    facilityIds: [actors.there.facilityId],
    facilities: [actors.there.facilityId],
    ip: '203.0.113.9',
    origin: { ip: '203.0.113.9' },
    to: 'thief@example.com',
    toAddress: 'thief@example.com',
    recipient: 'thief@example.com',
    receiptNumber: '1',
    postedOn: '2001-01-01',
    now: '2001-01-01T00:00:00.000Z',
    onRepeated: 'x',
    balance: 0,
    created_at: '2001-01-01',
  };
}

/**
 * Every call of the office that a manager of one facility writes by, well formed and with all the
 * fields added: it is audited as the manager's, sends no mail to another address, and changes no
 * other facility, no account of staff and no session.
 */
async function addToOfficeCalls(
  site: Site,
  seed: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const { owner } = site.db;
  const { a, elsewhere } = site.actors;
  const [record] = a.records;
  const manager = await makeMember(owner, 'manager', [record.place.facilityId]);
  const other = await makeMember(owner, 'owner');
  const random = randomOf(seed);
  const known = await namesOf(site, record);
  const fields = staffFields(site.actors, other);
  const kept = async () =>
    JSON.stringify([
      await rowsOf(site, [elsewhere.tenantId]),
      await readStaff(owner, elsewhere.place.facilityId),
    ]);
  const before = await kept();
  const faults: string[] = [];
  let done = 0;
  const calls = Object.values<OfficeEndpoint>(officeEndpoints).filter(
    ({ method, access, body, name }) =>
      method !== 'GET' && access === 'staff' && body !== undefined && !ofOwnAccount.includes(name),
  );
  for (const { name, method, path, body } of calls)
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = drawValue(random, body!, known, false) as Record<string, unknown>; // bodies are objects
      const { status, text } = await site.send({
        method,
        path: `/api${pathOf(path, known)}`,
        headers: officeHeaders(manager, site.addresses[0]!),
        body: { ...fields, ...own, ...('isPreview' in own && { isPreview: false }) },
      });
      if (status === 200) done += 1;
      if (status === 0 || status >= 500) faults.push(`${name}: ${status} ${text}`);
    }
  for (const fault of faults) say(`  ${fault}`);
  const { rows } = await sql<{ wrong: number }>`
    SELECT (SELECT count(*) FROM staff_actions WHERE by_name <> ${manager.name})::int
      + (SELECT count(*) FROM audit_events WHERE details->>'by' = ${other.name})::int
      + (SELECT count(*) FROM mails WHERE to_address IN ('thief@example.com'))::int AS wrong`.execute(
    owner,
  );
  return [
    mustBe('calls of the office that staff write by, answered with a fault', faults.length, 0),
    mustBeAtLeast('of them done', done, calls.length / 2),
    mustBe(
      'staff actions noted as another member’s, and mails to another address',
      rows[0]!.wrong,
      0,
    ),
    mustBe(
      'rows of another facility, of staff or of sessions that they changed',
      (await kept()) === before ? 0 : 1,
      0,
    ),
  ];
}

/** How often each call of the office is made, because its optional fields are drawn. */
const ROUNDS = 3;
/** Of the member's own sign-in alone. */
const ofOwnAccount = [
  ...['beginSecondStep', 'confirmSecondStep'],
  ...['staffPasskeyOptions', 'addStaffPasskey', 'renameStaffPasskey'],
];

/** The ids of a record and its facility, by the names of the office's fields. */
async function namesOf(site: Site, record: TenantRecord): Promise<Record<string, string>> {
  const { rows } = await sql<{ chargeId: string; unit: string }>`
    SELECT c.entry_id AS "chargeId", (SELECT name FROM units WHERE id = ${record.paid.unitId}) AS unit
    FROM open_charges c WHERE c.ledger_id = ${record.owing.ledgerId} LIMIT 1`.execute(
    site.db.owner,
  );
  const none = Object.fromEntries(
    ['requestId', 'staffId', 'noteId', 'templateId', 'changeId'].map((name) => [
      name,
      randomUUID(),
    ]),
  );
  return {
    ...none,
    ...idsOf(record),
    ...rows[0]!,
    facilityId: record.place.facilityId,
    fromLedgerId: record.paid.ledgerId,
    toLedgerId: record.owing.ledgerId,
    email: `new-${record.email}`,
  };
}

/** Accounts, facilities and sessions of staff, and the settings of a facility, as one text. */
async function readStaff(owner: Database, facilityId: string): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    SELECT t::text AS row FROM staff_members t UNION ALL SELECT t::text FROM staff_facilities t
    UNION ALL SELECT (to_jsonb(t) - 'last_seen_at')::text FROM staff_sessions t
    UNION ALL SELECT t::text FROM facilities t WHERE id = ${facilityId}
    UNION ALL SELECT t::text FROM corporations t ORDER BY 1`.execute(owner);
  return JSON.stringify(rows);
}

/**
 * Everything of the records that a call could write, as one text, and all users: of the one with
 * `ownEmail` without the language, which is for the caller to choose.
 */
async function rowsOf({ db }: Site, tenantIds: string[], ownEmail = ''): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    WITH mine AS (SELECT id FROM ledgers WHERE tenant_id = ANY(${tenantIds}::uuid[]))
    SELECT t::text AS row FROM tenants t WHERE id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT t::text FROM ledgers t WHERE id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM entries t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM vehicles t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM unit_contents t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM private_policies t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM ledger_protection_plans t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM autopays t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM payment_methods t WHERE tenant_id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT t::text FROM images t WHERE tenant_id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT t::text FROM requests t WHERE tenant_id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT (to_jsonb(t) - CASE email WHEN ${ownEmail} THEN 'language' ELSE '' END)::text FROM users t
    ORDER BY 1`.execute(db.owner);
  return JSON.stringify(rows);
}

function patch(site: Site, body: string) {
  const { a } = site.actors;
  return site.send(callOf('updateTenant', idsOf(a.records[0]), { token: a.token, body }));
}
