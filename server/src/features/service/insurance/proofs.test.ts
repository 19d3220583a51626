import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { InsuranceListRow } from '@gatehouse/contract/office/insurance';
import type { Today } from '@gatehouse/contract/office/today';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn, useTestApp, type SignedIn } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { changeRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
const EMAIL = 'dana@example.com';
let dana: SignedIn;
let clerk: string;
let manager: string;
/** A101 has neither plan nor policy; B207 has a plan. */
let [a101, b207]: Ledger[] = [];
let today: string;

beforeAll(async () => {
  dana = await signIn(api, EMAIL);
  clerk = await signInStaff(api, 'clerk');
  manager = await signInStaff(api, 'manager');
  [a101, b207] = await get<Ledger[]>(`/tenants/${dana.tenantIds.join(',')}/ledgers`);
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
});
beforeEach(async () => {
  for (const { id } of [a101!, b207!])
    await api.owner.deleteFrom('private_policies').where('ledger_id', '=', id).execute();
});

const get = async <T>(path: string) =>
  (await api.call('GET', dana.prefix + path, { token: dana.token })).body as T;
const statusOf = async ({ id }: Ledger) =>
  (await get<InsuranceStatus[]>(`/ledgers/${id}/insurance-statuses`))[0]!;
const policy = {
  description: 'Lone Star',
  policyNumber: 'LS-1',
  coverageEnd: '2031-01-31',
  coverageAmount: 12_500,
};
/** Gives a proof as the tenant does, and answers its id. */
async function prove({ id }: Ledger): Promise<string> {
  const path = `${dana.prefix}/ledgers/${id}/insurance-proof`;
  const { status } = await api.call('POST', path, { token: dana.token, body: policy });
  expect(status).toBe(200);
  return proofOf(id);
}
const proofOf = async (ledgerId: string) => {
  const given = { ledger_id: ledgerId, replaced_at: null };
  return (await getRow(api.owner, 'private_policies', 'id', given)).id;
};

const call = (verb: string, body: object, as = clerk) =>
  callOffice(api, 'POST', `/office/verbs/insurance/${verb}`, {
    as,
    body: { key: randomUUID(), why: '', isPreview: false, ...body },
  });
const REFUSAL = 'The coverage is below the $15,000 of your lease.';
const accept = (proofId: string, more: object = {}, as = clerk) =>
  call('accept', { proofId, ...more }, as);
const refuse = (proofId: string, more: object = {}, as = clerk) =>
  call('refuse', { proofId, refusal: REFUSAL, ...more }, as);

const listed = async (unitName: string, query = {}) => {
  const { body } = await callOffice(api, 'GET', '/office/insurance', { as: clerk, query });
  return (body as { rows: InsuranceListRow[] }).rows.find((row) => row.unitName === unitName);
};
const toCheck = async () => {
  const { body } = await callOffice(api, 'GET', '/office/today', { as: clerk });
  return (body as Today).proofs;
};

describe('a proof that a tenant gives', () => {
  test('counts at once, and waits to be checked in the list and in Today, the oldest first', async () => {
    await prove(b207!);
    const proofId = await prove(a101!);
    expect(await statusOf(a101!)).toMatchObject({ privateInsurance: true });
    expect(await listed('A101', { state: 'check' })).toMatchObject({
      ...{ state: 'check', proofId, decidedBy: null, refusal: null },
    });
    // Also where there is a plan.
    expect(await listed('B207', { state: 'check' })).toMatchObject({ state: 'check' });
    const { count, rows } = await toCheck();
    expect([count, rows.map(({ unitName }) => unitName)]).toEqual([2, ['B207', 'A101']]);
    expect(rows[0]).toMatchObject({ company: 'Lone Star', on: today });
  });

  test('does not wait once it has ended, or where staff gave it', async () => {
    const proofId = await prove(a101!);
    await changeRows(
      api.owner,
      'private_policies',
      { ends_on: addDays(today, -1) },
      { id: proofId },
    );
    expect(await listed('A101')).toMatchObject({ state: 'expired' });
    expect((await toCheck()).count).toBe(0);
    await changeRows(
      api.owner,
      'private_policies',
      { ends_on: null, user_id: null },
      { id: proofId },
    );
    expect(await listed('A101')).toMatchObject({ state: 'proof' });
    expect((await toCheck()).count).toBe(0);
  });
});

describe('an accepted proof', () => {
  test('counts, is no longer to be checked, and its tenant is mailed once', async () => {
    const proofId = await prove(a101!);
    const before = (await mailsTo(api, EMAIL)).length;
    const preview = await accept(proofId, { isPreview: true });
    const done = await accept(proofId);
    expect(preview.body).toEqual(done.body);
    expect(done.body).toEqual({
      ...{ unitName: 'A101', company: 'Lone Star', policyNumber: 'LS-1', hasPlan: false },
    });
    expect(await listed('A101')).toMatchObject({ state: 'proof', decidedBy: 'Ana Flores' });
    expect((await toCheck()).count).toBe(0);
    expect(await statusOf(a101!)).toMatchObject({ privateInsurance: true });
    const mails = (await mailsTo(api, EMAIL)).slice(before);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your proof of insurance for unit A101 at .* was accepted$/),
    ]);
    expect(mails[0]!.text).toContain('has accepted policy LS-1 of Lone Star');
  });
});

describe('a refused proof', () => {
  test('no longer counts, and its tenant reads why by mail and in the portal', async () => {
    const proofId = await prove(a101!);
    const before = (await mailsTo(api, EMAIL)).length;
    expect((await refuse(proofId, { isPreview: true })).status).toBe(200);
    expect(await statusOf(a101!)).toMatchObject({ privateInsurance: true });
    expect((await refuse(proofId)).status).toBe(200);
    expect(await statusOf(a101!)).toEqual({
      ledgerId: a101!.id,
      ...{ activeInsurance: false, privateInsurance: false, coverage: null, premium: null },
      ...{ policyNumber: null, coverageId: null },
      refused: { company: 'Lone Star', reason: REFUSAL },
    });
    const [mail, ...more] = (await mailsTo(api, EMAIL)).slice(before);
    expect(more).toEqual([]);
    expect(mail!.subject).toMatch(/^Your proof of insurance for unit A101 at .* was refused$/);
    expect(mail!.text).toContain(REFUSAL);
    expect(await listed('A101', { state: 'refused' })).toMatchObject({ refusal: REFUSAL });
    expect((await toCheck()).count).toBe(0);
  });

  test('leaves a protection plan as it is', async () => {
    const { body } = await refuse(await prove(b207!));
    expect(body).toMatchObject({ hasPlan: true });
    expect(await statusOf(b207!)).toMatchObject({ activeInsurance: true, privateInsurance: false });
    expect(await listed('B207')).toMatchObject({ state: 'plan' });
  });

  test('is replaced by the next one, which counts and waits', async () => {
    await refuse(await prove(a101!));
    const next = await prove(a101!);
    const status = await statusOf(a101!);
    expect([status.privateInsurance, status.refused]).toEqual([true, undefined]);
    expect(await listed('A101')).toMatchObject({ state: 'check', proofId: next });
  });

  test('needs the sentence for the tenant, which is not in the audit trail, and keeps who and why', async () => {
    const proofId = await prove(a101!);
    expect((await refuse(proofId, { refusal: ' ' })).body.message).toBe(
      'What the tenant reads is required.',
    );
    await refuse(proofId, { why: 'The lease asks for more' });
    const { rows } = await sql<{ details: Record<string, string> }>`
      SELECT details FROM audit_events WHERE ledger_id = ${a101!.id} AND details->>'proofId' = ${proofId}`.execute(
      api.owner,
    );
    expect(rows.map(({ details }) => details)).toEqual([
      {
        ...{ verb: 'insurance.refuse', by: 'Ana Flores', why: 'The lease asks for more', proofId },
        key: expect.any(String) as unknown,
      },
    ]);
  });
});

describe('a decision', () => {
  test('is replaced by the other one where that is said, and not repeated', async () => {
    const proofId = await prove(a101!);
    await refuse(proofId);
    expect((await refuse(proofId)).body.message).toBe('Ana Flores has refused this proof already.');
    const unasked = await accept(proofId, {}, manager);
    expect([unasked.status, unasked.body.message]).toEqual([
      409,
      'Ana Flores has refused this proof. Replace that decision?',
    ]);
    expect((await accept(proofId, { isChanged: true }, manager)).status).toBe(200);
    expect(await statusOf(a101!)).toMatchObject({ privateInsurance: true });
    expect(await listed('A101')).toMatchObject({ state: 'proof', refusal: null });
    expect((await refuse(proofId, { isChanged: true })).status).toBe(200);
    expect(await statusOf(a101!)).toMatchObject({ privateInsurance: false });
  });

  test.each(['accept', 'refuse'] as const)('of two clerks at once is one: %s', async (second) => {
    const proofId = await prove(a101!);
    const answers = await Promise.all([
      accept(proofId),
      call(second, { proofId, ...(second === 'refuse' && { refusal: REFUSAL }) }, manager),
    ]);
    const refused = second === 'accept' ? 422 : 409;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, refused]);
  });

  test('waits for a proof that the tenant gives meanwhile, and is refused then', async () => {
    const proofId = await prove(a101!);
    let answer: ReturnType<typeof refuse> | undefined;
    await api.ctx.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM ledgers WHERE id = ${a101!.id} FOR NO KEY UPDATE`.execute(trx);
      answer = refuse(proofId);
      await untilLockWait(api.owner);
      await trx
        .updateTable('private_policies')
        .set({ replaced_at: api.ctx.clock.now() })
        .where('id', '=', proofId)
        .execute();
    });
    expect(await answer).toMatchObject({
      status: 409,
      body: { message: 'The tenant has given another proof for A101 since: check that.' },
    });
  });

  test('is refused of a policy that has ended, and of a rental that has', async () => {
    const proofId = await prove(a101!);
    const ended = addDays(today, -1);
    await changeRows(api.owner, 'private_policies', { ends_on: ended }, { id: proofId });
    expect((await accept(proofId)).body.message).toBe(`This policy ended on ${formatDate(ended)}.`);
    const gone = await getRow(api.owner, 'ledgers', ['id', 'moved_out_on'], {
      id: (
        await sql<{ id: string }>`
          SELECT l.id FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN facilities f ON f.id = t.facility_id
          WHERE f.location_code = 'TXDFW03' AND l.moved_out_on < ${today}::date LIMIT 1`.execute(
          api.owner,
        )
      ).rows[0]!.id,
    });
    await changeRows(
      api.owner,
      'private_policies',
      { ends_on: null, ledger_id: gone.id },
      { id: proofId },
    );
    expect((await accept(proofId)).body.message).toMatch(/was moved out of on/);
    await api.owner.deleteFrom('private_policies').where('id', '=', proofId).execute();
  });

  test('is of a proof that is there, in reach', async () => {
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    const { id } = await getRow(api.owner, 'ledgers', 'id', { tenant_id: maria.tenantIds[0]! });
    await api.owner
      .insertInto('private_policies')
      .values({ ledger_id: id, company: 'X', policy_number: '1', starts_on: today })
      .execute();
    const theirs = await proofOf(id);
    for (const proofId of [theirs, randomUUID()]) {
      const answer = await accept(proofId);
      expect([answer.status, answer.body.message]).toEqual([
        404,
        `There is no proof of insurance ${proofId}.`,
      ]);
    }
  });
});

test('who serves tenants can store no decision', async () => {
  const { rows } = await sql<{ may: boolean }>`
    SELECT bool_or(has_column_privilege('gatehouse_app', 'private_policies', one, 'INSERT, UPDATE')) AS may
    FROM unnest(ARRAY['decided_at', 'decided_by', 'refusal']) one`.execute(api.owner);
  expect(rows[0]!.may).toBe(false);
});
