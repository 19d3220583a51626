import { randomUUID } from 'node:crypto';
import { pathOf } from '@gatehouse/contract/endpoint';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { drawValue } from '../harness/shapes.ts';
import type { TenantRecord } from '../harness/actors.ts';
import { mustBe, mustBeAtLeast, type Figure, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';
import { makeMember, officeHeaders, type Member } from '../harness/staff.ts';
import { sql } from 'kysely';
import { bodyOf, guardedNames, statusForOwner } from './access-matrix.ts';
import { endpoints } from '@gatehouse/contract/endpoints';
import { callOf, idsOf, openSite, recordsOf, type Site } from '../harness/site.ts';

/** T15: fields that no form has. */
export const massAssignment: Proof<{ rounds: number }> = {
  name: 'T15',
  title: 'Every call that writes, and the office’s, with every field added that a record has',
  sizes: { small: { rounds: 3 }, full: { rounds: 30 } },
  async run({ rounds }, seed, stage) {
    await using site = await openSite(stage);
    return [
      ...(await addToEveryCall(site, stage.say)),
      ...(await addToOfficeCalls(site, { seed, rounds, say: stage.say })),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

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

/** Every call of tenants that writes, with all the fields added: no other record has changed. */
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
    mustBe('calls that write, answered as without the fields', good, names.length),
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
  { seed, rounds, say }: { seed: number; rounds: number; say: (line: string) => void },
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
    for (let round = 0; round < rounds; round += 1) {
      const own = drawValue(random, body!, known) as Record<string, unknown>; // bodies are objects
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

/** Only of the member's own sign-in. */
const ofOwnAccount = [
  ...['beginSecondStep', 'confirmSecondStep'],
  ...['staffPasskeyOptions', 'addStaffPasskey', 'renameStaffPasskey', 'removeStaffPasskey'],
  'endStaffSession',
];

/** The ids of a record and its facility, by the names of the office's fields. */
async function namesOf(site: Site, record: TenantRecord): Promise<Record<string, string>> {
  const { rows } = await sql<{ chargeId: string; unit: string }>`
    SELECT c.entry_id AS "chargeId", (SELECT name FROM units WHERE id = ${record.paid.unitId}) AS unit
    FROM open_charges c WHERE c.ledger_id = ${record.owing.ledgerId} LIMIT 1`.execute(
    site.db.owner,
  );
  const none = Object.fromEntries(
    ['requestId', 'staffId', 'noteId', 'templateId', 'changeId', 'importId'].map((name) => [
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
    UNION ALL SELECT t::text FROM further_vehicles t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM unit_contents t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM private_policies t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM ledger_protection_plans t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM autopays t WHERE ledger_id IN (SELECT id FROM mine)
    UNION ALL SELECT t::text FROM payment_methods t WHERE tenant_id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT t::text FROM images t WHERE tenant_id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT t::text FROM requests t WHERE tenant_id = ANY(${tenantIds}::uuid[])
    UNION ALL SELECT (to_jsonb(t) - CASE email WHEN ${ownEmail} THEN ARRAY['language', 'language_chosen'] ELSE '{}' END)::text FROM users t
    ORDER BY 1`.execute(db.owner);
  return JSON.stringify(rows);
}
