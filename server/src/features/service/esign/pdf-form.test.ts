import { createHash, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFName } from '@cantoo/pdf-lib';
import { SIGNING_DAYS, signingLinkDead } from '@gatehouse/contract/signing';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeLedger } from '#seeds/builders.ts';
import { signIn, useTestApp, type SignedIn } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, signInNewStaff, signInStaff } from '#test/office.ts';
import { pagesOf, placesOf } from '#test/pdf.ts';
import { addScript, asDataUrl, LEASE, pdfForm, turn } from '#test/pdf-forms.ts';
import { findRows, getRow } from '#test/rows.ts';
import { fromNow } from '#test/test-day.ts';
import { sealDocument } from './signed-copy.ts';

const api = useTestApp('demo_template');
let manager: string;
let clerk: string;
let dana: SignedIn;
let tenantId: string;
let ledgerId: string;
let units = 0;
beforeAll(async () => {
  manager = await signInStaff(api, 'manager');
  clerk = await signInStaff(api, 'clerk');
  dana = await signIn(api, 'dana@example.com');
  tenantId = dana.tenantIds[0]!;
});
beforeEach(async () => {
  units += 1;
  const { facility_id } = await getRow(api.owner, 'tenants', 'facility_id', { id: tenantId });
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id, name: `P${units}`, width_feet: 12, length_feet: 40 },
    moved_in_on: '2026-11-14',
    rental_rate_cents: 21_050,
  }));
});

type Call = { as?: string; isPreview?: boolean };
function verb(name: string, body: object, { as = clerk, isPreview = false }: Call = {}) {
  const caller = { key: randomUUID(), isPreview, why: '' };
  return callOffice(api, 'POST', `/office/verbs/${name}`, { as, body: { ...body, ...caller } });
}

async function add(pdf: Buffer, more: object = {}, call: Call = { as: manager }) {
  const body = { name: `Form ${randomUUID()}`, pdf: asDataUrl(pdf), locationCode: 'TXDFW03' };
  return verb('forms/add', { ...body, ...more }, call);
}

async function addLease(): Promise<string> {
  const { status, body } = await add(await pdfForm(LEASE));
  expect([status, body.message]).toEqual([200, undefined]);
  return body.formId as string;
}

/** What adding a PDF is refused with. */
async function refusal(pdf: Buffer, more: object = {}) {
  const { status, body } = await add(pdf, more);
  return [status, body.message as string];
}

async function send(formId: string, more: object = {}): Promise<string> {
  const { status, body } = await verb('documents/send', { ledgerId, formId, ...more });
  expect([status, body.message]).toEqual([200, undefined]);
  return body.documentId as string;
}

async function mailedToken(address = 'dana@example.com'): Promise<string> {
  const mails = await mailsTo(api, address);
  const found = mails.map(({ text }) => /\/sign\/(rdo_[\w-]+)/.exec(text)?.[1]);
  return found.findLast((token) => token !== undefined)!;
}

const show = (token: string) => api.call('GET', `/signings/${token}`);
const pdfOf = (token: string) => api.call('GET', `/signings/${token}/pdf`);
const consent = (token: string) =>
  api.call('POST', `/signings/${token}/consent`, { body: { agreed: true } });
const sign = (token: string, body: object = {}) =>
  api.call('POST', `/signings/${token}/signature`, {
    body: { name: 'Dana Reyes', drawing: null, places: [0, 1], ...body },
  });
const bytesOf = ({ body }: { body: { data: string } }) => Buffer.from(body.data, 'base64');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a PDF form', () => {
  test('has the fields of a text form by name, whatever their case, signs and groups', async () => {
    const { body } = await add(await pdfForm(LEASE), {}, { as: manager, isPreview: true });
    expect(body).toMatchObject({
      formId: null,
      fields: 3,
      places: 2,
      found: [
        { name: 'TENANT', page: 1, means: 'tenant' },
        { name: 'lease.MonthlyRent', page: 1, means: 'monthly rent' },
        { name: 'Unit 1', page: 1, means: 'unit' },
        { name: 'initials', page: 1, means: 'initials' },
        { name: 'Signature', page: 2, means: 'signature' },
      ],
    });
  });

  test('is refused where a field has no meaning, nothing is signed, or the second signer is wrong', async () => {
    const signature = { name: 'signature', y: 100 };
    const second = { name: 'Second Signature', y: 200 };
    expect(await refusal(await pdfForm([signature, { name: 'Rnt', y: 50 }]))).toEqual([
      422,
      'The PDF has fields that have no meaning here: “Rnt” on page 1. Name them as the fields of a text form, such as “monthly rent”.',
    ]);
    expect(await refusal(await pdfForm([{ name: 'tenant', y: 50 }]))).toEqual([
      422,
      'The PDF has no field with the name “signature”.',
    ]);
    expect(await refusal(await pdfForm([signature, second]), { isAtMoveIn: true })).toEqual([
      422,
      'A form for each move-in must name its second signer.',
    ]);
    const signer = { secondName: 'Ann Lee', secondEmail: 'ann@example.com' };
    expect(await refusal(await pdfForm([signature]), signer)).toEqual([
      422,
      'The PDF has no “second signature” for a second signer.',
    ]);
    const both = { text: '{signature}' };
    expect(await refusal(await pdfForm([signature]), both)).toEqual([422, 'Give a text or a PDF.']);
  });

  const lease = () => pdfForm(LEASE);
  test.each<[string, () => Promise<Buffer>, string]>([
    ['no PDF', () => Promise.resolve(Buffer.from('Hello')), 'is damaged'],
    ['cut off', async () => (await lease()).subarray(0, 300), 'is damaged'],
    ['of more than 50 pages', () => pdfForm([{ name: 'tenant', page: 50, y: 9 }]), 'more than 50'],
    ['turned', () => pdfForm(LEASE, turn), 'Page 1 is turned'],
    [
      'protected',
      () =>
        pdfForm(LEASE, (document) => document.encrypt({ userPassword: 'x', ownerPassword: 'y' })),
      'is protected',
    ],
    [
      'an XFA form',
      async () =>
        Buffer.from(
          (await lease()).toString('latin1').replace('/Fields', '/XFA 1 /Fields'),
          'latin1',
        ),
      'is an XFA form',
    ],
    ['a bomb', bomb, 'too much memory'],
  ])('that is %s is refused with a sentence', async (_, make, says) => {
    expect(await refusal(await make())).toEqual([422, expect.stringContaining(says)]);
  });

  /** 256 MB of nothing on a page. */
  function bomb(): Promise<Buffer> {
    const contents = deflateSync(Buffer.alloc(256 * 1024 * 1024));
    return pdfForm(LEASE, (document) => {
      const { context } = document;
      const stream = context.stream(contents, { Filter: 'FlateDecode' });
      document.getPage(0).node.set(PDFName.of('Contents'), context.register(stream));
    });
  }

  test('is no larger than 4 MB, and a data URL of a PDF', async () => {
    const large = await add(Buffer.alloc(4 * 1024 * 1024 + 10_000));
    expect([large.status, large.body.message]).toEqual([422, 'The PDF is larger than 4 MB.']);
    expect((await add(Buffer.alloc(6 * 1024 * 1024))).status).toBe(413);
    const text = { pdf: 'data:text/html;base64,AAAA' };
    expect((await add(Buffer.from(''), text)).body.message).toBe('Choose a PDF.');
    const broken = { pdf: 'data:application/pdf;base64,AAAA=' };
    expect((await add(Buffer.from(''), broken)).status).toBe(422);
  });

  test('keeps no script, action, attachment or field of the operator’s file', async () => {
    const given = await pdfForm(LEASE, async (document) => {
      addScript(document);
      await document.attach(Buffer.from('evil'), 'evil.exe');
    });
    const { body } = await add(given);
    const { pdf } = await getRow(api.owner, 'document_forms', 'pdf', { id: body.formId });
    const kept = pdf!.toString('latin1');
    expect(kept.startsWith('%PDF')).toBe(true);
    for (const name of [
      'JavaScript',
      '/AA',
      'OpenAction',
      'Filespec',
      'evil',
      'AcroForm',
      'Widget',
    ])
      expect(kept).not.toContain(name);
  });

  test('is added by a manager, shown with samples at its own facility, and is no text', async () => {
    expect((await add(await lease(), {}, { as: clerk })).status).toBe(403);
    const formId = await addLease();
    const sample = (as: string) => callOffice(api, 'GET', `/office/forms/${formId}/sample`, { as });
    const pages = pagesOf(bytesOf(await sample(clerk)));
    expect(pages[0]).toContain('Jordan Sample');
    expect(pages[1]).toContain('signature');
    const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'AZPHX01' });
    const elsewhere = await signInNewStaff(api, 'manager', id);
    expect((await sample(elsewhere)).status).toBe(404);
    const { facility_id } = await getRow(api.owner, 'document_forms', 'facility_id', {
      id: formId,
    });
    const file = await callOffice(api, 'GET', `/office/facilities/${facility_id}`, { as: clerk });
    expect(file.body.forms).toContainEqual(
      expect.objectContaining({ formId, text: null, pages: 2, isAtMoveIn: false }),
    );
  });
});

describe('a document of a PDF', () => {
  test('is read as it is signed, after the consent only, and its places have pages', async () => {
    const documentId = await send(await addLease());
    const token = await mailedToken();
    expect((await pdfOf(token)).status).toBe(409);
    expect((await show(token)).body).toMatchObject({ blocks: [], pdf: null });
    const { body } = await consent(token);
    const read = bytesOf(await pdfOf(token));
    expect(body).toMatchObject({
      blocks: [
        { kind: 'place', mark: 'initials', signer: 1, page: 1 },
        { kind: 'place', mark: 'signature', signer: 1, page: 2 },
      ],
      pdf: { pages: 2, bytes: read.length },
    });
    const [first] = placesOf(read);
    expect(first!.map(({ text }) => text)).toEqual(['Dana Reyes', '$210.50', `P${units}`]);
    // In its field, from the left and from above.
    expect(first![0]!.x).toBeGreaterThan(72);
    expect(first![0]!.x).toBeLessThan(76);
    expect(first![0]!.y).toBeGreaterThan(100);
    expect(first![0]!.y).toBeLessThan(120);
    const row = await getRow(api.owner, 'esign_documents', ['pdf_key', 'pdf_hash'], {
      id: documentId,
    });
    expect(row.pdf_hash!.toString('hex')).toBe(sha256(read));
    // A second consent, and what the tenant is called later, change nothing.
    await consent(token);
    expect(bytesOf(await pdfOf(token)).equals(read)).toBe(true);
    await api.ctx.files.put(row.pdf_key!, Buffer.from('%PDF-1.7 other'), 'application/pdf');
    expect((await pdfOf(token)).status).toBe(500);
  });

  test('prints names in letters of any script', async () => {
    const formId = await addLease();
    await api.owner
      .updateTable('tenants')
      .set({ first_name: 'Nguyễn 王' })
      .where('id', '=', tenantId)
      .execute();
    onTestFinished(async () => {
      const own = api.owner.updateTable('tenants').set({ first_name: 'Dana' });
      await own.where('id', '=', tenantId).execute();
    });
    await send(formId);
    const token = await mailedToken();
    await consent(token);
    const [page] = pagesOf(bytesOf(await pdfOf(token)));
    expect(page!.replaceAll('\n', '')).toContain('Nguyễn 王 Reyes');
  });

  test('is signed by two at their places, and sealed with the record of it', async () => {
    const second = { name: 'second-signature', page: 1, y: 300, height: 40 };
    const { body: form } = await add(await pdfForm([...LEASE, second]));
    const signer = { secondName: 'Ann Lee', secondEmail: 'ann.lee@example.com' };
    const documentId = await send(form.formId, signer);
    const token = await mailedToken();
    await consent(token);
    const read = bytesOf(await pdfOf(token));
    expect((await sign(token, { places: [1] })).status).toBe(422);
    const drawing = [[10, 20, 300, 100]];
    expect((await sign(token, { drawing })).body).toMatchObject({ isComplete: false, pdf: null });
    expect([(await pdfOf(token)).status, (await pdfOf(token)).body.message]).toEqual([
      404,
      signingLinkDead(),
    ]);
    const next = await mailedToken('ann.lee@example.com');
    await consent(next);
    expect(bytesOf(await pdfOf(next)).equals(read)).toBe(true);
    const done = await sign(next, { name: 'Ann Lee', places: [2] });
    expect(done.body).toMatchObject({ state: 'signed', isComplete: true });
    await sealDocument(api.ctx, documentId);
    const path = `${dana.prefix}/tenants/${tenantId}/documents/${documentId}/file`;
    const copy = bytesOf(await api.call('GET', path, dana));
    const pages = pagesOf(copy).map((text) => text.replaceAll('\n', ' '));
    expect(pages).toHaveLength(3);
    expect(pages[0]).toContain('Dana Reyes');
    // The initials, with who and when where there is room.
    expect(pages[0]).toMatch(/DR$/);
    expect(pages[1]).toMatch(/Dana Reyes, \d\d\/\d\d\/\d{4}.*Ann Lee.*Ann Lee, \d\d/);
    expect(pages[2]).toContain('Record of signatures');
    expect(pages[2]!.replaceAll(' ', '')).toContain(sha256(read));
    const mails = await findRows(api.owner, 'mails', 'to_address', { paper_id: documentId });
    expect(mails.map(({ to_address }) => to_address)).toContain('ann.lee@example.com');
    const office = await callOffice(api, 'GET', `/office/documents/${documentId}`, { as: clerk });
    expect(bytesOf(office).equals(copy)).toBe(true);
  });

  test('is too old or declined as one of a text is, and its file stays', async () => {
    const documentId = await send(await addLease());
    const token = await mailedToken();
    await consent(token);
    const now = fromNow(SIGNING_DAYS * 86_400_000);
    const clock = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(now);
    expect((await pdfOf(token)).status).toBe(404);
    expect((await consent(token)).status).toBe(404);
    clock.mockRestore();
    await api.call('POST', `/signings/${token}/refusal`, { body: { reason: 'On paper.' } });
    expect((await pdfOf(token)).status).toBe(404);
    const { pdf_key } = await getRow(api.owner, 'esign_documents', 'pdf_key', { id: documentId });
    const kept = await findRows(api.owner, 'kept_files', 'file_key', { file_key: pdf_key! });
    expect(kept).toHaveLength(1);
  });
});
