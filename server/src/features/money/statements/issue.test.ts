import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { post, type Change } from '#features/base/ledgers/books.ts';
import { getPostedPayment } from '#features/base/ledgers/postings.fixture.ts';
import { readBooks, writePostings } from '#features/base/ledgers/postings.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import { makeFacility, makeLedger, makeStaffMember, makeTenant } from '#seeds/builders.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { makePerson } from '#test/people.ts';
import { pagesOf } from '#test/pdf.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';
import { testClock, TEST_DAY } from '#test/test-day.ts';

const sent: { to: string; subject: string; papers: string[] }[] = [];
const api = useTestApp('demo_template', {
  mail: {
    send: async ({ to, subject, attachments }) => {
      const files = await Promise.all(attachments.map((draw) => draw()));
      const papers = files.map(({ content }) => pagesOf(content).join('\n'));
      sent.push({ to, subject, papers });
    },
  },
});
let clerk: string;
let facilityId: string;
let tenantId: string;
let email: string;
let units: Record<'A' | 'B', string>;

beforeAll(async () => {
  facilityId = await makeFacility(api.owner, { location_code: 'TXSTA01' });
  clerk = await signInStaff(api, {
    email: await memberAt(facilityId, 'clerk-here@anchor-axle.example'),
  });
});

async function memberAt(facility: string, address: string) {
  await makeStaffMember(api.owner, {
    ...{ email: address, name: 'Jo Park', role: 'clerk', password: randomUUID() },
    ...{ facilityIds: [facility], createdAt: testClock.now() },
  });
  return address;
}

let made = 0;
beforeEach(async () => {
  made += 1;
  email = `books${made}@example.com`;
  tenantId = await makePerson(api, facilityId, email);
  units = { A: await rent(`A${made}`), B: await rent(`B${made}`) };
  const paid = randomUUID();
  await postOn(units.A, '2026-01-05', [aCharge('Fee of January', 10_000)]);
  await postOn(units.A, '2026-02-03', [aCharge('Fee of February', 5000)]);
  await postOn(units.A, '2026-02-10', [
    { kind: 'credit', id: paid, cents: 12_000, description: 'Goodwill' },
  ]);
  await postOn(units.B, '2026-02-20', [aCharge('Lock cut', 2500)]);
  await postOn(units.A, '2026-03-02', [
    {
      ...{ kind: 'reversal', id: randomUUID(), reason: 'correction', description: 'Taken back' },
      ...{ payment: await getPostedPayment(api.owner, paid), cents: 12_000 },
    },
  ]);
});

async function rent(name: string): Promise<string> {
  const unit = { facility_id: facilityId, name };
  return (await makeLedger(api.owner, api.ctx.vault, { tenant_id: tenantId, unit })).ledgerId;
}

async function postOn(ledgerId: string, day: string, changes: Change[]): Promise<void> {
  const [books] = await readBooks(api.owner, [ledgerId]);
  const at = { instant: new Date(`${day}T17:00:00Z`), dayOf: () => day };
  await writePostings(api.owner, at, [post(books!, changes).posting]);
}

function aCharge(description: string, priceCents: number): Change {
  return {
    ...{ kind: 'charge', id: randomUUID(), category: 'fee', description, dueOn: '2026-01-01' },
    ...{ priceCents, periodEnd: null, discountCents: 0, tax1Cents: 0, tax2Cents: 0, lateFor: null },
  };
}

const issue = (body: object, as = clerk) =>
  doVerb(api, as, 'statements/issue', { tenantId, ...body });
const february = { from: '2026-02-01', to: '2026-02-28' };
const paperOf = async (statementId: string, as = clerk) => {
  const { status, body } = await callOffice(
    api,
    'GET',
    `/office/tenants/${tenantId}/statements/${statementId}`,
    {
      as,
    },
  );
  return status === 200 ? pagesOf(Buffer.from(body.data, 'base64')).join('\n') : status;
};

describe('a statement of any days', () => {
  test('has for each rental what was owed before, each entry with the balance after it, and what was owed at the end', async () => {
    const { status, body } = await issue(february);
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      ...{ opening: 100, closing: 55, booksFrom: '2026-01-05', mailedTo: null },
      rentals: [
        { unitName: `A${made}`, opening: 100, entries: 2, closing: 30 },
        { unitName: `B${made}`, opening: 0, entries: 1, closing: 25 },
      ],
    });
    const text = await paperOf(body.statementId);
    for (const part of [
      'Statement for 2/1/2026 to 2/28/2026',
      /Owed at the beginning\s+\$100\.00/,
      /Fee of February\s+\$50\.00\s+\$150\.00/,
      /Goodwill\s+-\$120\.00\s+\$30\.00/,
      /Lock cut\s+\$25\.00\s+\$25\.00/,
    ])
      expect(text).toMatch(part);
    expect(text).not.toMatch(/Fee of January|Taken back/);
  });

  test('takes no number for a preview', async () => {
    const numberOf = async (statementId: string) => {
      const { number } = await getRow(api.owner, 'statements', 'number', { id: statementId });
      return Number(number.replace('S-', ''));
    };
    const first = await numberOf((await issue(february)).body.statementId);
    for (const isMailed of [false, true]) await issue({ ...february, isMailed, isPreview: true });
    expect(await numberOf((await issue(february)).body.statementId)).toBe(first + 1);
  });

  test('shows what was taken back later on its day, and stays as it was issued', async () => {
    const { statementId } = (await issue(february)).body;
    const { body } = await issue({ from: '2026-02-01', to: '2026-03-31' });
    expect(await paperOf(body.statementId)).toMatch(/Taken back\s+\$120\.00\s+\$150\.00/);
    expect(body).toMatchObject({ opening: 100, closing: 175 });
    const before = await paperOf(statementId);
    await postOn(units.A, '2026-02-15', [aCharge('Posted late', 700)]);
    expect(await paperOf(statementId)).toBe(before);
    expect((await issue(february)).body).toMatchObject({ closing: 62 });
  });

  test('is mailed to the address on record where that is asked, once a key, and noted', async () => {
    const body = { ...february, isMailed: true, key: randomUUID() };
    const preview = await issue({ ...body, isPreview: true });
    expect(preview.body).toMatchObject({ statementId: null, mailedTo: email });
    const [one, two] = await Promise.all([issue(body), issue(body)]);
    expect([one.status, one.body]).toEqual([200, two.body]);
    const mails = await findRows(api.owner, 'mails', ['id', 'kind'], { tenant_id: tenantId });
    // Limited by day, as a receipt that is mailed again.
    expect(mails.map(({ kind }) => kind)).toEqual(['statement']);
    await sendMails(
      api.ctx,
      mails.map(({ id }) => id),
    );
    expect(sent.filter(({ to }) => to === email)).toMatchObject([
      {
        subject: 'Your statement for 2/1/2026 to 2/28/2026',
        papers: [expect.stringContaining('Fee of February')],
      },
    ]);
    await paperOf(one.body.statementId);
    const events = await api.owner
      .selectFrom('audit_events')
      .select('details')
      .where('tenant_id', '=', tenantId)
      .orderBy('position')
      .execute();
    expect(events.map(({ details }) => details)).toMatchObject([
      { verb: 'tenants.show', by: 'Jo Park' },
      { verb: 'statements.issue', ...february, mailedTo: email },
      { shows: 'Statement' },
    ]);
  });

  test('is none of the monthly ones that the tenant sees and that follow each other', async () => {
    await issue(february);
    const tenant = await signIn(api, email, 'TXSTA01');
    const list = await api.call('GET', `${tenant.prefix}/tenants/${tenantId}/statements`, tenant);
    expect(list.body).toEqual([]);
  });

  test.each([
    [{ from: '2026-02-02', to: '2026-02-01' }, 'The first day must not be after the last.'],
    [{ from: '2026-02-01', to: '2026-11-26' }, 'The last day must not be after today, 11/25/2026.'],
    [{ from: '2025-01-01', to: '2026-01-04' }, 'The books of this tenant begin on 1/5/2026.'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'The day must be like 2026-11-24.'],
  ])('of %o is refused with a sentence', async (days, message) => {
    const answer = await issue(days);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('that begins before the books says when they begin', async () => {
    const { body } = await issue({ from: '2025-01-01', to: TEST_DAY });
    expect(body).toMatchObject({ opening: 0, closing: 175, booksFrom: '2026-01-05' });
  });

  test('is refused with a sentence where there are no books or no address', async () => {
    const other = await makeTenant(api.owner, { facility_id: facilityId, email: 'x@y.invalid' });
    expect((await issue({ ...february, tenantId: other })).body.message).toBe(
      'There is nothing in the books of this tenant.',
    );
    await changeRows(api.owner, 'tenants', { email: 'nobody@none.invalid' }, { id: tenantId });
    const answer = await issue({ ...february, isMailed: true });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The address on file is no mail address.',
    ]);
  });

  test('is neither issued nor shown to a member of another facility', async () => {
    const { statementId } = (await issue(february)).body;
    const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'AZPHX01' });
    const address = `elsewhere${made}@anchor-axle.example`;
    const other = await signInStaff(api, { email: await memberAt(id, address) });
    expect((await issue(february, other)).status).toBe(404);
    expect(await paperOf(statementId, other)).toBe(404);
  });
});
