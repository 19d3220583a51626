import { createHash, randomUUID } from 'node:crypto';
import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { SIGNING_DAYS, signingLinkDead } from '@gatehouse/contract/signing';
import { resendDocument } from '@gatehouse/contract/staff-documents';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeLedger, makeTenant } from '#seeds/builders.ts';
import { hashToken } from '#http/token.ts';
import { signIn, useTestApp, type SignedIn } from '#test/app.ts';
import { setLimits } from '#test/limits.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { sealDocument } from './signed-copy.ts';
import { fromNow } from '#test/test-day.ts';
import { pagesOf } from '#test/pdf.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const TEXT = `# Rental Agreement

{tenant} of {tenant address} rents unit {unit} ({unit size}) at {facility} for {monthly rent} a month
from {first day}.

No fuel is kept in the unit.

{initials}

{signature}`;
const TWO = `${TEXT}\n\nFor {operator}, {second signer}:\n\n{second signature}`;
const PLACES = [3, 4];
const DANA = 'dana@example.com';

const api = useTestApp('demo_template');
let manager: string;
let clerk: string;
let dana: SignedIn;
let tenantId: string;
let facilityId: string;
let ledgerId: string;
let units = 0;
beforeAll(async () => {
  manager = await signInStaff(api, 'manager');
  clerk = await signInStaff(api, 'clerk');
  dana = await signIn(api, DANA);
  tenantId = dana.tenantIds[0]!;
  ({ facility_id: facilityId } = await getRow(api.owner, 'tenants', 'facility_id', {
    id: tenantId,
  }));
});
beforeEach(async () => {
  units += 1;
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: `E${units}`, width_feet: 12, length_feet: 40 },
    moved_in_on: '2026-11-14',
  }));
});

type Verb = { as?: string; isPreview?: boolean; why?: string };
function verb(name: string, body: object, { as = clerk, isPreview = false, why = '' }: Verb = {}) {
  const caller = { key: randomUUID(), isPreview, why };
  return callOffice(api, 'POST', `/office/verbs/${name}`, { as, body: { ...body, ...caller } });
}

/** The id of a new form. */
async function addForm(body: object = {}): Promise<string> {
  const named = { name: `Form ${randomUUID()}`, text: TEXT, locationCode: 'TXDFW03' };
  const answer = await verb('forms/add', { ...named, ...body }, { as: manager });
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.formId as string;
}

/** Sends a document of a form, new unless it is given, and answers its id. */
async function send(formId?: string, more: object = {}): Promise<string> {
  const body = { ledgerId, formId: formId ?? (await addForm()), ...more };
  const answer = await verb('documents/send', body);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.documentId as string;
}

/** The token in the newest mail to an address. */
async function mailedToken(address = 'dana@example.com'): Promise<string> {
  const mails = await mailsTo(api, address);
  const found = mails.map(({ text }) => /\/sign\/(rdo_[\w-]+)/.exec(text)?.[1]);
  return found.findLast((token) => token !== undefined)!;
}

const show = (token: string) => api.call('GET', `/signings/${token}`);
const consent = (token: string) =>
  api.call('POST', `/signings/${token}/consent`, { body: { agreed: true } });
const sign = (token: string, body: object = {}) =>
  api.call('POST', `/signings/${token}/signature`, {
    body: { name: 'Dana Reyes', drawing: null, places: PLACES, ...body },
  });
const decline = (token: string, reason = 'I would like it on paper.') =>
  api.call('POST', `/signings/${token}/refusal`, { body: { reason } });
const files = async () =>
  (await api.call('GET', `${dana.prefix}/tenants/${tenantId}/files`, dana)).body as {
    formId: string;
    envelopeStatus: string;
  }[];
const statusOf = async (documentId: string) =>
  (await files()).find(({ formId }) => formId === documentId)?.envelopeStatus;
const DEAD = [404, { message: signingLinkDead() }];

/** The app's clock from then on: so many days later. */
function inDays(days: number): void {
  const now = fromNow(days * 86_400_000);
  const clock = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
}

describe('a form', () => {
  test('has known fields, and places in paragraphs of their own', async () => {
    const refused = async (text: string, more: object = {}) => {
      const body = { name: 'A form', text, locationCode: 'TXDFW03', ...more };
      const { status, body: answer } = await verb('forms/add', body, { as: manager });
      return [status, answer.message as string];
    };
    expect(await refused('Hello')).toEqual([
      422,
      'The text has no {signature} in a paragraph of its own.',
    ]);
    expect(await refused('{rnt}\n\n{signature}')).toEqual([422, 'There is no field {rnt}.']);
    expect(await refused('Sign {signature} here')).toEqual([
      422,
      '{signature} must be a paragraph of its own.',
    ]);
    expect(await refused(`${'{initials}\n\n'.repeat(200)}{signature}`)).toEqual([
      422,
      'The text has more than 200 places for a signer, who could not sign them.',
    ]);
    expect(await refused(`Long ${'a'.repeat(4996)}\n\n{signature}`)).toEqual([
      422,
      'A paragraph has more than 5000 characters: divide the one that begins with “Long aaaaaaaaaaaaaaa”.',
    ]);
    expect(await refused(TWO, { isAtMoveIn: true })).toEqual([
      422,
      'A form for each move-in must name its second signer.',
    ]);
    const second = { secondName: 'Ann Lee', secondEmail: 'ann@example.com' };
    expect(await refused(TEXT, second)).toEqual([
      422,
      'The text has no {second signature} for a second signer.',
    ]);
  });

  test('is added and retired by a manager, at the own facilities, one of a name', async () => {
    const body = { name: 'Lease', text: TEXT, locationCode: 'TXDFW03' };
    expect((await verb('forms/add', body)).status).toBe(403);
    const { formId } = (await verb('forms/add', body, { as: manager })).body;
    expect((await verb('forms/add', { ...body, name: 'LEASE' }, { as: manager })).status).toBe(409);
    expect((await verb('forms/retire', { formId })).status).toBe(403);
    expect((await verb('forms/retire', { formId }, { as: manager })).status).toBe(200);
    expect((await verb('forms/retire', { formId }, { as: manager })).status).toBe(409);
    expect((await verb('documents/send', { ledgerId, formId })).status).toBe(404);
    expect((await verb('forms/add', body, { as: manager })).status).toBe(200);
  });
});

describe('a document', () => {
  test('is the form with its fields filled in, mailed to the tenant by a link', async () => {
    const documentId = await send();
    expect(await statusOf(documentId)).toBe('Sent');
    const token = await mailedToken();
    const closed = await show(token);
    expect(closed.body).toMatchObject({ state: 'open', hasConsented: false, blocks: [] });
    const { body } = await consent(token);
    expect(body.blocks).toEqual([
      { kind: 'heading', text: 'Rental Agreement' },
      {
        kind: 'paragraph',
        text: expect.stringMatching(
          /^Dana Reyes of .+ rents unit E\d+ \(12 x 40\) at .+ for \$[\d.]+ a month\nfrom 11\/14\/2026\.$/,
        ),
      },
      { kind: 'paragraph', text: 'No fuel is kept in the unit.' },
      { kind: 'place', mark: 'initials', signer: 1 },
      { kind: 'place', mark: 'signature', signer: 1 },
    ]);
  });

  test('makes no place of what a tenant is called', async () => {
    const { first_name } = await getRow(api.owner, 'tenants', 'first_name', { id: tenantId });
    const name = '{signature}\n\n{initials}';
    await changeRows(api.owner, 'tenants', { first_name: name }, { id: tenantId });
    await send();
    await changeRows(api.owner, 'tenants', { first_name }, { id: tenantId });
    const { body } = await consent(await mailedToken());
    expect((body.blocks as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'paragraph',
      'place',
      'place',
    ]);
  });

  test('of a preview is none, and nothing is mailed', async () => {
    const formId = await addForm();
    const before = (await mailsTo(api, 'dana@example.com')).length;
    const { status, body } = await verb(
      'documents/send',
      { ledgerId, formId },
      { isPreview: true },
    );
    expect([status, body.documentId]).toEqual([200, null]);
    expect(await findRows(api.owner, 'esign_documents', 'id', { form_id: formId })).toEqual([]);
    expect((await mailsTo(api, 'dana@example.com')).length).toBe(before);
  });

  test('is signed once at every place, after the consent, whatever two tabs or a lost answer do', async () => {
    const documentId = await send();
    const token = await mailedToken();
    expect([(await sign(token)).status, await statusOf(documentId)]).toEqual([409, 'Sent']);
    await consent(token);
    expect((await sign(token, { places: [4] })).status).toBe(422);
    const answers = await Promise.all([
      sign(token),
      sign(token, { name: 'Somebody Else' }),
      sign(token),
    ]);
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([
        200,
        { state: 'signed', isComplete: true, blocks: [] },
      ]);
    expect(await statusOf(documentId)).toBe('Completed');
    const events = await findRows(api.owner, 'document_events', 'kind', {
      document_id: documentId,
    });
    expect(events.map(({ kind }) => kind).toSorted()).toEqual([
      'completed',
      'consented',
      'made',
      'mailed',
      'signed',
    ]);
    expect((await show(token)).body).toMatchObject({ state: 'signed', blocks: [] });
    expect((await decline(token)).body).toMatchObject({ state: 'signed' });
  });

  test('keeps the words of the consent, the address and how the signer came', async () => {
    const documentId = await send();
    const token = await mailedToken();
    await consent(token);
    await consent(token);
    const { consent: words } = await getRow(api.owner, 'document_signers', 'consent', {
      document_id: documentId,
    });
    expect(words).toContain('on paper instead, at no cost');
    expect(words).toContain('You can withdraw your consent');
    const path = `${dana.prefix}/tenants/${tenantId}/documents/${documentId}/link`;
    const own = await api.call('GET', path, dana);
    await sign(own.body.token);
    const events = await findRows(api.owner, 'document_events', ['kind', 'via', 'ip'], {
      document_id: documentId,
      kind: ['consented', 'signed'],
    });
    expect(events.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'consented', via: 'link', ip: '127.0.0.1' },
      { kind: 'signed', via: 'portal', ip: '127.0.0.1' },
    ]);
  });

  test('that is declined, or signed, is mailed to those who get the facility’s e-sign requests', async () => {
    const kind = 'resend_esign_documents_form';
    const to = { facility_id: facilityId, kind, address: 'documents@example.com' } as const;
    await api.owner.insertInto('facility_recipients').values(to).execute();
    const documentId = await send();
    await decline(await mailedToken());
    const done = await signed();
    await sealDocument(api.ctx, done);
    await api.owner.deleteFrom('facility_recipients').where('address', '=', to.address).execute();
    const { form_name } = await getRow(api.owner, 'esign_documents', 'form_name', {
      id: documentId,
    });
    const mailed = await findRows(api.owner, 'mails', ['subject', 'paper_id'], {
      to_address: to.address,
    });
    expect(mailed).toEqual([
      { subject: expect.stringContaining(`Declined: ${form_name}`), paper_id: null },
      { subject: expect.stringContaining('Signed: '), paper_id: done },
    ]);
  });

  test('that is declined can be signed no more, and staff read why', async () => {
    const documentId = await send();
    const token = await mailedToken();
    expect((await decline(token)).body).toMatchObject({ state: 'declined' });
    expect((await sign(token)).body).toMatchObject({ state: 'declined' });
    expect(await statusOf(documentId)).toBe('Declined');
    const signer = await getRow(api.owner, 'document_signers', ['decline_reason', 'signed_at'], {
      document_id: documentId,
    });
    expect(signer).toEqual({ decline_reason: 'I would like it on paper.', signed_at: null });
    expect((await verb('documents/resend', { documentId })).status).toBe(409);
  });

  test('expires, and is sent again by staff with a new link', async () => {
    const documentId = await send();
    const token = await mailedToken();
    inDays(SIGNING_DAYS);
    const staff = await signInStaff(api, 'clerk');
    const late = await show(token);
    expect([late.status, late.body]).toEqual(DEAD);
    expect((await consent(token)).status).toBe(404);
    const again = await verb('documents/resend', { documentId }, { as: staff });
    expect(again.body).toMatchObject({ mailedTo: 'dana@example.com' });
    expect((await show(await mailedToken())).body).toMatchObject({ state: 'open' });
    expect((await show(token)).status).toBe(404);
  });

  test('names its last day by the calendar of the facility', async () => {
    const documentId = await send();
    // 20:30 in Fort Worth, of the next day in UTC.
    const clock = vi.spyOn(api.ctx.clock, 'now');
    onTestFinished(() => clock.mockRestore());
    const evening = `${addDays(calendarDateIn('UTC', fromNow(86_400_000)), 1)}T02:30:00.000Z`;
    clock.mockReturnValue(new Date(evening));
    const as = await signInStaff(api, 'clerk');
    const { body } = await verb('documents/resend', { documentId }, { as });
    const lastDay = formatDate(addDays(evening.slice(0, 10), SIGNING_DAYS - 1));
    const mailed = (await mailsTo(api, 'dana@example.com')).at(-1)!;
    expect(mailed.text).toContain(`until ${lastDay}`);
    expect(resendDocument.says!(body, true)).toEqual([
      expect.stringMatching(new RegExp(`to be signed by ${lastDay}\\.$`)),
    ]);
  });

  test('that is sent again or withdrawn has no older link', async () => {
    const documentId = await send();
    const first = await mailedToken();
    inDays(1);
    const as = await signInStaff(api, 'clerk');
    expect((await verb('documents/resend', { documentId }, { as })).status).toBe(200);
    const second = await mailedToken();
    expect([(await show(first)).status, (await show(second)).status]).toEqual([404, 200]);
    const why = 'The wrong unit';
    expect((await verb('documents/void', { documentId }, { as, why })).status).toBe(200);
    for (const { status, body } of [await show(second), await consent(second), await sign(second)])
      expect([status, body]).toEqual(DEAD);

    expect((await verb('documents/void', { documentId }, { as, why })).status).toBe(409);
  });

  test('is found by no id that is none', async () => {
    for (const part of ['link', 'file']) {
      const path = `${dana.prefix}/tenants/${tenantId}/documents/x/${part}`;
      expect((await api.call('GET', path, dana)).status).toBe(404);
    }
  });

  test('comes with the request to send it again, by the same link', async () => {
    await send();
    const token = await mailedToken();
    // Other documents that wait are mailed with it.
    const mailed = async () =>
      (await mailsTo(api, 'dana@example.com')).filter(({ text }) => text.includes(token)).length;
    const before = await mailed();
    const path = `${dana.prefix}/ledgers/${ledgerId}/resend-esign-documents`;
    expect((await api.call('POST', path, { token: dana.token, body: {} })).status).toBe(200);
    await api.queue.work(api.ctx);
    await expect.poll(mailed, { timeout: 20_000 }).toBe(before + 1);
  });

  test('of two signers goes to the second once the tenant has signed', async () => {
    const second = { secondName: 'Ann Lee', secondEmail: 'ann@example.com' };
    const formId = await addForm({ text: TWO });
    const refused = await verb('documents/send', { ledgerId, formId });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('is signed by two: name the second signer.'),
    ]);
    const documentId = await send(formId, second);
    expect(await mailsTo(api, 'ann@example.com')).toEqual([]);
    const token = await mailedToken();
    await consent(token);
    expect((await sign(token)).body).toMatchObject({ isComplete: false, otherName: 'Ann Lee' });
    expect(await statusOf(documentId)).toBe('Sent');
    const next = await mailedToken('ann@example.com');
    expect((await sign(next, { places: [6] })).status).toBe(409);
    await consent(next);
    expect((await sign(next)).status).toBe(422);
    const done = await sign(next, { name: 'Ann Lee', places: [6] });
    expect(done.body).toMatchObject({ state: 'signed', isComplete: true });
    expect(await statusOf(documentId)).toBe('Completed');
  });

  test('is mailed to a second signer who is no tenant within the budget of staff, under a name without an address', async () => {
    await setLimits(api, { 'staff-mails-to-a-stranger-a-day': { most: 3, seconds: 86_400 } });
    const secondEmail = 'stranger@example.com';
    const formId = await addForm({ text: TWO });
    const linked = { ledgerId, formId, secondName: 'You won: visit evil.example', secondEmail };
    expect((await verb('documents/send', linked)).status).toBe(422);
    const documentId = await send(formId, { secondName: 'Ann Lee', secondEmail });
    const token = await mailedToken();
    await consent(token);
    await sign(token);
    const statuses = [];
    for (let nth = 0; nth < 3; nth += 1)
      statuses.push((await verb('documents/resend', { documentId })).status);
    // The document itself was counted too.
    expect(statuses).toEqual([200, 200, 429]);
    expect(await mailsTo(api, secondEmail)).toHaveLength(3);
  });
});

/** Everybody has signed a new document; its id. */
async function signed(): Promise<string> {
  const documentId = await send();
  const token = await mailedToken();
  await consent(token);
  expect((await sign(token)).body).toMatchObject({ isComplete: true });
  return documentId;
}

describe('the signed copy', () => {
  test('has the time of each signature, also of two signers with the same name', async () => {
    const second = { secondName: 'Dana Reyes', secondEmail: 'senior@example.com' };
    const documentId = await send(await addForm({ text: TWO }), second);
    const token = await mailedToken();
    await consent(token);
    await sign(token);
    const first = captionAt(api.ctx.clock.now());
    inDays(2);
    const next = await mailedToken('senior@example.com');
    await consent(next);
    expect((await sign(next, { places: [6] })).body).toMatchObject({ isComplete: true });
    await sealDocument(api.ctx, documentId);
    const key = await keyOf(documentId);
    const text = pagesOf((await api.ctx.files.get(key))!)[0]!.replaceAll('\n', ' ');
    expect(text.split(first)).toHaveLength(3);
    expect(text.split(captionAt(api.ctx.clock.now()))).toHaveLength(2);
  });

  const captionAt = (at: Date) =>
    `Dana Reyes, ${formatDate(calendarDateIn('America/Chicago', at))}`;

  const own = (documentId: string) =>
    api.call('GET', `${dana.prefix}/tenants/${tenantId}/documents/${documentId}/file`, dana);

  test('is made once, kept by its hash, mailed to tenant and facility, and the tenant’s to open', async () => {
    const documentId = await signed();
    expect((await own(documentId)).status).toBe(503);
    await Promise.all([sealDocument(api.ctx, documentId), sealDocument(api.ctx, documentId)]);
    await sealDocument(api.ctx, documentId);
    const mails = await findRows(api.owner, 'mails', ['to_address', 'subject'], {
      paper_id: documentId,
    });
    const { email } = await getRow(api.owner, 'facilities', 'email', { id: facilityId });
    expect(mails.map(({ to_address }) => to_address).toSorted()).toEqual(
      ['dana@example.com', email].toSorted(),
    );
    const { body } = await own(documentId);
    expect(body).toMatchObject({
      fileName: expect.stringMatching(/^Form-.+-E\d+\.pdf$/),
      contentType: 'application/pdf',
    });
    const bytes = Buffer.from(body.data, 'base64');
    const pages = pagesOf(bytes);
    expect(pages[0]).toContain('Dana Reyes of');
    const { body: text } = await getRow(api.owner, 'esign_documents', 'body', { id: documentId });
    const hash = createHash('sha256').update(text!).digest('hex');
    // A long line is printed in several.
    const record = pages.at(-1)!.replaceAll('\n', ' ');
    for (const said of ['Record of signatures', 'Signed by Dana Reyes', 'from 127.0.0.1'])
      expect(record).toContain(said);
    expect(record.replaceAll(' ', '')).toContain(hash);
    const row = await getRow(api.owner, 'esign_documents', ['file_hash', 'bytes'], {
      id: documentId,
    });
    expect(row).toEqual({
      file_hash: createHash('sha256').update(bytes).digest(),
      bytes: bytes.length,
    });
    const office = await callOffice(api, 'GET', `/office/documents/${documentId}`, { as: clerk });
    expect(office.body).toEqual(body);
    const path = `/office/documents/${await signedElsewhere()}`;
    expect((await callOffice(api, 'GET', path, { as: clerk })).status).toBe(404);
    await api.ctx.files.put(await keyOf(documentId), Buffer.from('%PDF-'), 'application/pdf');
    expect((await own(documentId)).status).toBe(500);
  });

  test('is no document’s that is not signed by all', async () => {
    const documentId = await send();
    await sealDocument(api.ctx, documentId);
    expect((await own(documentId)).status).toBe(404);
  });

  /** A document of another facility's tenant. */
  async function signedElsewhere(): Promise<string> {
    const { id } = await getRow(api.owner, 'tenants', 'id', { email: 'maria@example.com' });
    const rental = await getRow(api.owner, 'ledgers', 'id', { tenant_id: id });
    const [row] = await api.owner
      .insertInto('esign_documents')
      .values({ ledger_id: rental.id, form_name: 'Theirs', envelope_status_id: 2 })
      .returning('id')
      .execute();
    return row!.id;
  }

  const keyOf = async (documentId: string) =>
    (await getRow(api.owner, 'esign_documents', 'file_key', { id: documentId })).file_key!;
});

describe('a move-in', () => {
  test('makes a document of each form of the facility for that, and mails its link', async () => {
    const formId = await addForm({ isAtMoveIn: true, name: 'Agreement at move-in' });
    await api.owner
      .insertInto('units')
      .values({
        facility_id: facilityId,
        name: 'MOVE1',
        width_feet: 10,
        length_feet: 30,
        type_name: 'RV',
      })
      .execute();
    const body = { tenantId, unit: 'MOVE1', on: '2026-11-20', rate: 120 };
    const as = { as: manager, why: 'A new tenant' };
    const documents = [{ name: 'Agreement at move-in', mailedTo: DANA }];
    const preview = await verb('rentals/move-in', body, { ...as, isPreview: true });
    expect(preview.body.documents).toEqual(documents);
    expect(await findRows(api.owner, 'esign_documents', 'id', { form_id: formId })).toEqual([]);
    const { status, body: answer } = await verb('rentals/move-in', body, as);
    expect(answer.documents).toEqual(documents);
    expect([status, answer.message]).toEqual([200, undefined]);
    expect(
      await findRows(api.owner, 'esign_documents', ['form_name', 'ledger_id'], {
        form_id: formId,
      }),
    ).toEqual([{ form_name: 'Agreement at move-in', ledger_id: answer.ledgers[0].ledgerId }]);
    expect((await consent(await mailedToken())).body.documentName).toBe('Agreement at move-in');
    await verb('forms/retire', { formId }, { as: manager });
  });
});

describe('a caller that is not the signer', () => {
  test('gets one answer for every link that opens nothing', async () => {
    await send();
    const token = await mailedToken();
    await send();
    const other = await mailedToken();
    const forged = [
      'rdo_',
      'x',
      `rdo_${'A'.repeat(70)}`,
      `rdp_${'A'.repeat(112)}`,
      token.replace('rdo_', 'rdp_'),
      token.replace('rdo_', 'rpt_'),
      `${token.slice(0, -2)}AA`,
      token.slice(0, 24) + other.slice(24),
    ];
    for (const one of forged)
      for (const { status, body } of [
        await show(one),
        await consent(one),
        await sign(one),
        await decline(one),
      ])
        expect([one, status, body]).toEqual([one, ...DEAD]);
  });

  test('who reads the mails of an address that the record no longer has gets nothing', async () => {
    const mailed = { email: 'wrong@example.com', first_name: 'Nora', last_name: 'Moss' };
    const id = await makeTenant(api.owner, { facility_id: facilityId, ...mailed });
    const rented = { facility_id: facilityId, name: `W${units}`, width_feet: 12, length_feet: 40 };
    ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id: id, unit: rented }));
    const documentId = await send();
    const token = await mailedToken('wrong@example.com');
    expect((await show(token)).status).toBe(200);
    inDays(1);
    const as = await signInStaff(api, 'manager');
    const moved = await verb('tenants/email', { tenantId: id, email: 'nora@example.com' }, { as });
    expect([moved.status, moved.body.message]).toEqual([200, undefined]);
    for (const { status, body } of [await show(token), await consent(token), await sign(token)])
      expect([status, body]).toEqual(DEAD);
    expect((await verb('documents/resend', { documentId }, { as })).status).toBe(200);
    expect((await show(await mailedToken('nora@example.com'))).status).toBe(200);
  });

  /** The token of a document in a session of its own. */
  async function ownLink(documentId: string) {
    const session = await signIn(api, DANA);
    const path = `${session.prefix}/tenants/${tenantId}/documents/${documentId}/link`;
    const { body } = await api.call('GET', path, session);
    return { session, token: body.token as string };
  }

  test.each<[string, (session: SignedIn) => unknown]>([
    ['the session ends', (session) => api.call('POST', '/users/logout', session)],
    ['it is as old as one may get', (): void => inDays(1)],
    [
      'the sign-in is disabled',
      async () => {
        await changeRows(api.owner, 'users', { disabled_at: fromNow(0) }, { email: DANA });
        onTestFinished(() =>
          changeRows(api.owner, 'users', { disabled_at: null }, { email: DANA }),
        );
      },
    ],
    [
      'the sign-in no longer reaches the record',
      async () => {
        await changeRows(api.owner, 'tenants', { email: 'else@example.com' }, { id: tenantId });
        onTestFinished(() => changeRows(api.owner, 'tenants', { email: DANA }, { id: tenantId }));
      },
    ],
  ])('by a token of the portal opens nothing after %s', async (_, end) => {
    const documentId = await send();
    const { session, token } = await ownLink(documentId);
    expect((await consent(token)).status).toBe(200);
    await end(session);
    for (const answer of [
      await show(token),
      await consent(token),
      await sign(token),
      await decline(token),
    ])
      expect([answer.status, answer.body]).toEqual(DEAD);
    const signer = { document_id: documentId, position: 1 as const };
    expect(await getRow(api.owner, 'document_signers', 'signed_at', signer)).toEqual({
      signed_at: null,
    });
  });

  test('signs nothing where the session ends while the signature is written', async () => {
    const documentId = await send();
    const { session, token } = await ownLink(documentId);
    await consent(token);
    const { late } = await api.ctx.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sessions').where('token_hash', '=', hashToken(session.token)).execute();
      const signed = sign(token);
      await untilLockWait(api.owner);
      return { late: signed };
    });
    expect([(await late).status, (await late).body]).toEqual(DEAD);
    expect(
      await findRows(api.owner, 'document_signers', ['signed_at'], { document_id: documentId }),
    ).toEqual([{ signed_at: null }]);
  });

  test('gets no link and no copy of another record, and staff of another facility do nothing', async () => {
    const documentId = await send();
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    for (const part of ['link', 'file']) {
      const path = `${maria.prefix}/tenants/${maria.tenantIds[0]}/documents/${documentId}/${part}`;
      expect((await api.call('GET', path, maria)).status).toBe(404);
      const foreign = `${dana.prefix}/tenants/${tenantId}/documents/${documentId}/${part}`;
      expect((await api.call('GET', foreign, maria)).status).toBe(404);
      expect((await api.call('GET', foreign)).status).toBe(401);
    }
    const rental = await getRow(api.owner, 'ledgers', 'id', { tenant_id: maria.tenantIds[0] });
    const formId = await addForm();
    expect((await verb('documents/send', { ledgerId: rental.id, formId })).status).toBe(404);
    expect((await verb('documents/void', { documentId: randomUUID() }, { why: 'x' })).status).toBe(
      404,
    );
  });
});
