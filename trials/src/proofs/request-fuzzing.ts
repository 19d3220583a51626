import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@gatehouse/contract/endpoints';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import { hashPassword } from '@gatehouse/server/src/features/people/session/password.ts';
import { hashToken, newToken } from '@gatehouse/server/src/http/token.ts';
import { makeProtectionPlan } from '@gatehouse/server/src/seeds/builders.ts';
import { sql } from 'kysely';
import { faultsOf } from '../fuzz/judge.ts';
import { isOfOffice, planRequest, type Operation } from '../fuzz/requests.ts';
import type { Known } from '../harness/shapes.ts';
import { exchange } from '../fuzz/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { untilNothingIsOpen } from '../harness/open-watch.ts';
import { makeMember } from '../harness/staff.ts';
import { CORPORATION, LOCATION } from '../harness/world.ts';
import { inLanes } from '../harness/lanes.ts';
import { divide, judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { changeRows } from '@gatehouse/server/test/rows.ts';

const operations: Operation[] = [
  ...Object.values<Operation>(endpoints),
  ...Object.values<Operation>(officeEndpoints),
];
const PAYERS = 20;
/** The first of them are the office's: staff may end their rentals and sessions. */
const PAYERS_OF_STAFF = 5;
const LANES = 8;
/** Requests of a part of the full size. */
const PART = 2500;
const FAULTS = ['5xx', 'slow', 'unanswered', 'no sentence', 'stack'];

/**
 * R28: every call of the contract and of the office's, with hostile values, broken shapes, broken
 * text, paths, heads and bytes.
 */
export const requestFuzzing: Proof<{ requests: number }> = {
  name: 'R28',
  title: 'Hostile and broken requests to every call of portal and office',
  sizes: { small: { requests: 1000 }, full: { requests: PART * 4 } },
  parts: (size) => divide(size, Math.ceil(size.requests / PART)),
  async run({ requests }, seed, stage) {
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: { payers: PAYERS, rentals: 2, owedCents: () => 25_000 },
      latencyMs: 2,
    });
    const knowns = await namesOf(fixture);
    const found = new Map(FAULTS.map((fault) => [fault, 0]));
    const statuses = new Map<string, number>();
    let slowest = 0;
    await inLanes(requests, LANES, async (index) => {
      const isStaffs = isOfOffice(operations[index % operations.length]!);
      const own = isStaffs ? knowns.slice(0, PAYERS_OF_STAFF) : knowns.slice(PAYERS_OF_STAFF);
      const known = own[index % own.length]!;
      const { name, bytes, ...asked } = planRequest(seed, index, operations, known);
      const answer = await exchange((await fixture.pool.next()).address, bytes, asked.isWhole);
      slowest = Math.max(slowest, answer.ms);
      const kind = `${Math.floor(answer.status / 100)}xx`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      const faults = faultsOf(answer, asked);
      for (const fault of faults) found.set(fault, found.get(fault)! + 1);
      if (faults.length > 0) {
        const line = JSON.stringify({ seed, name, faults, sent: bytes.toString('latin1'), answer });
        appendFileSync(join(stage.folder, 'faults.jsonl'), `${line}\n`);
      }
    });
    // A card that no gateway answers is one of its values.
    await untilNothingIsOpen(fixture.db.owner);
    const isFull = requests >= PART;
    return [
      mustBe(
        'calls of the contract that were met',
        Math.min(operations.length, requests),
        operations.length,
      ),
      ...FAULTS.map((fault) =>
        judgedIf(
          isFull || fault !== 'slow',
          mustBe(`answers with the fault “${fault}”`, found.get(fault)!, 0),
        ),
      ),
      judgedIf(isFull, mustBeAtMost('longest answer in seconds', slowest / 1000, 5)),
      reported('answered 2xx', statuses.get('2xx') ?? 0),
      reported('answered 4xx', statuses.get('4xx') ?? 0),
      reported('broken bytes that were hung up on', statuses.get('0xx') ?? 0),
      ...(await fixture.check()),
    ];
  },
};

/** For each payer the ids that the contract's fields and paths may name. */
async function namesOf({ db: { owner }, payers }: Fixture): Promise<Known[]> {
  const { facility_id } = await owner
    .selectFrom('tenants')
    .select('facility_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const coverageId = await makeProtectionPlan(owner, { facility_id });
  const password_hash = await hashPassword('harbor gate 81');
  await changeRows(owner, 'users', { password_hash });
  const { rows: charges } = await sql<{ ledgerId: string; id: string }>`
    SELECT ledger_id AS "ledgerId", entry_id AS id FROM charges`.execute(owner);
  const [head, clerk, spare] = [
    await makeMember(owner, 'owner'),
    await makeMember(owner, 'clerk', [facility_id]),
    await makeMember(owner, 'owner'),
  ];
  await changeRows(owner, 'staff_members', { password_hash });
  const spareTokens = await Promise.all(payers.map(({ token }) => signInAgain(owner, token)));
  return payers.map(({ tenantId, token, rentals, savedCard }, index) => ({
    ...emptyNames,
    corp: CORPORATION,
    corporationCode: CORPORATION,
    locationCode: LOCATION,
    username: `payer-${index}@example.com`,
    email: `payer-${index}@example.com`,
    tenantId,
    tenantIds: tenantId,
    ledgerId: rentals[0]!.ledgerId,
    ledgerIds: rentals.map(({ ledgerId }) => ledgerId).join(','),
    unitId: rentals[0]!.unitId,
    coverageId,
    paymentMethodId: savedCard,
    token,
    spareToken: spareTokens[index]!,
    facilityId: facility_id,
    chargeId: charges.find(({ ledgerId }) => ledgerId === rentals[0]!.ledgerId)!.id,
    unit: `U${index}-0`,
    staffId: spare.staffId,
    signedInId: (index === 0 ? clerk : head).staffId,
    staffToken: (index === 0 ? clerk : head).token,
    spareStaffToken: spare.token,
  }));
}

/** Well-formed names that do not exist. */
const emptyNames: Known = {
  ...Object.fromEntries(
    [
      'tenantId',
      'tenantIds',
      'ledgerId',
      'ledgerIds',
      'unitId',
      'imageId',
      'documentId',
      'coverageId',
      'paymentMethodId',
      'facilityId',
      'templateId',
      'changeId',
      'noteId',
      'requestId',
      'passkeyId',
      'sessionId',
      'staffId',
      'printingId',
      'statementId',
      'importId',
      'formId',
    ].map((name) => [name, '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31']),
  ),
  corp: CORPORATION,
  locationCode: LOCATION,
  receiptNumber: '1000001',
  number: 'S-500001',
  year: '2026',
  paperKind: 'registration',
  token: `rvt_${'A'.repeat(43)}`,
  spareToken: `rvt_${'B'.repeat(43)}`,
  signedInId: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
  staffToken: `rot_${'A'.repeat(43)}`,
  spareStaffToken: `rot_${'B'.repeat(43)}`,
};

/** Another session of who has this one, for the call that ends it. */
async function signInAgain(owner: Fixture['db']['owner'], token: string): Promise<string> {
  const spare = newToken();
  await sql`
    INSERT INTO sessions (token_hash, user_id, facility_id, created_at, last_seen_at)
    SELECT ${hashToken(spare)}, user_id, facility_id, created_at, last_seen_at
    FROM sessions WHERE token_hash = ${hashToken(token)}`.execute(owner);
  return spare;
}
