import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import {
  PAPER_BODY_BYTES,
  PAPER_FILE_BYTES,
  paperStanding,
  type RentalPapers,
  type VehiclePaper,
} from '@gatehouse/contract/vehicle-papers';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDiskFiles } from '#adapters/files/disk.ts';
import { limits } from '#config/limits.ts';
import { removeUnkeptFiles } from '#features/base/images/images.ts';
import { forgetOldVehiclePapers } from '#features/base/retention/retention.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { photoWithGps } from '#test/photos.ts';

const NO_PAPER = 'The file must be a PDF, or a photo as JPEG, PNG, GIF or WebP.';
const TOO_LARGE = 'The file is too large. It may have at most 8 MB.';
const NOT_FOUND = [404, { message: 'Not found.' }];

let folder: string;
let api: TestApp;
let dana: SignedIn;
let lee: SignedIn;
let today: string;
/** A rental of Dana’s, and one of Lee’s. */
let ledgerId: string;
let leesLedger: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-papers-'));
  api = await openTestApp('demo_template', { files: createDiskFiles(folder) });
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  ledgerId = (await list()).find(({ unitName }) => unitName === 'A101')!.ledgerId;
  leesLedger = (await list(lee))[0]!.ledgerId;
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await api.owner.deleteFrom('vehicle_papers').execute();
});

const pdf = (size = 200) => {
  const bytes = Buffer.alloc(size, ' ');
  bytes.write('%PDF-1.7\n');
  return bytes;
};
const dataUrl = (bytes: Buffer | string, type = 'application/pdf') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const paper = (more: object = {}) => ({
  kind: 'registration',
  number: 'TX-88120042',
  expiresOn: addDays(today, 300),
  fileData: dataUrl(pdf()),
  file: 'scan.pdf',
  ...more,
});
const tenantPath = (by: SignedIn, tenantId = by.tenantIds[0]) => `${by.prefix}/tenants/${tenantId}`;
const list = async (by = dana) =>
  (await api.call('GET', `${tenantPath(by)}/vehicle-papers`, { token: by.token }))
    .body as RentalPapers[];
const papersOf = async (ledger = ledgerId, by = dana) =>
  (await list(by)).find((rental) => rental.ledgerId === ledger)!.first!.papers;
const pathOf = (by = dana, ledger = ledgerId) =>
  `${tenantPath(by)}/ledgers/${ledger}/vehicle-papers`;
const file = (more: object = {}, by = dana, path = pathOf(by)) =>
  api.call('POST', path, { token: by.token, body: paper(more) });
const show = (kind = 'registration', by = dana, path = pathOf(by)) =>
  api.call('GET', `${path}/${kind}`, { token: by.token });
const remove = (kind = 'registration', by = dana, path = pathOf(by)) =>
  api.call('POST', path.replace(/papers$/, 'paper-removal'), {
    token: by.token,
    body: { kind },
  });
const rows = () => api.owner.selectFrom('vehicle_papers').selectAll().execute();
const files = async () => (await readdir(folder)).toSorted();
const filed = async (more: object = {}) => (await file(more)).body as VehiclePaper;

describe('a paper of a vehicle', () => {
  test('is filed as a PDF, byte by byte, with its number sealed and masked', async () => {
    const { status, body } = await file();
    expect([status, body]).toEqual([
      200,
      {
        kind: 'registration',
        number: '****0042',
        expiresOn: addDays(today, 300),
        standing: 'valid',
        fileType: 'application/pdf',
      },
    ]);
    expect(await papersOf()).toEqual([body]);
    const [row] = await rows();
    expect(row!.number).toMatch(/^sealed:1:/);
    expect(row).toMatchObject({ bytes: 200, file_name: 'scan.pdf', replaced_at: null });
    const shown = await show();
    expect(shown.body).toEqual({
      fileName: 'registration-A101.pdf',
      contentType: 'application/pdf',
      data: pdf().toString('base64'),
    });
  });

  // spec 10.20
  test('is given out as an attachment that nothing shows, runs or keeps', async () => {
    await filed();
    const { headers } = await show();
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="paper.json"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('is decoded and encoded again where it is a photo, without its metadata', async () => {
    const given = await photoWithGps({ width: 2400, height: 1200 });
    const { fileType } = await filed({ fileData: dataUrl(given, 'image/jpeg') });
    expect(fileType).toBe('image/jpeg');
    const { body } = await show();
    expect(body.fileName).toBe('registration-A101.jpg');
    const kept = Buffer.from(body.data, 'base64');
    expect(kept.includes('Gatehouse test camera')).toBe(false);
    expect(kept.equals(given)).toBe(false);
  });

  // spec 10.20
  test('is what its bytes are, whatever the data URL and the name say', async () => {
    const { fileType } = await filed({ fileData: dataUrl(pdf(), 'image/png'), file: 'photo.png' });
    expect(fileType).toBe('application/pdf');
  });

  test.each([
    ['HTML with %PDF inside', '<html><script>1</script>%PDF-1.7', 415, NO_PAPER],
    ['a space before %PDF', ' %PDF-1.7', 415, NO_PAPER],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 415, NO_PAPER],
    ['a program', 'MZ\x90\0', 415, NO_PAPER],
  ])('is refused where it is %s', async (_what, bytes, status, message) => {
    for (const type of ['application/pdf', 'image/jpeg'])
      expect(await answerOf(file({ fileData: dataUrl(bytes, type) }))).toEqual([
        status,
        { message },
      ]);
    expect([await rows(), await stored()]).toEqual([[], 0]);
  });

  // spec 10.20
  test('may have 8 MB as a PDF and not a byte more', async () => {
    const before = await stored();
    expect((await file({ fileData: dataUrl(pdf(PAPER_FILE_BYTES)) })).status).toBe(200);
    for (const size of [PAPER_FILE_BYTES + 1, PAPER_BODY_BYTES])
      expect(await answerOf(file({ fileData: dataUrl(pdf(size)) }))).toEqual([
        413,
        { message: TOO_LARGE },
      ]);
    expect(await stored()).toBe(before + 1);
  });

  test('is refused where it is no base64', async () => {
    const fileData = `${dataUrl('%PDF-1.7\n 123')}*`;
    expect(await answerOf(file({ fileData }))).toEqual([
      422,
      { message: 'The file is damaged. Please choose another one.' },
    ]);
  });

  test('is valid on its last day; one that is over, or far ahead, is refused', async () => {
    expect((await filed({ expiresOn: today })).standing).toBe('soon');
    expect(await answerOf(file({ expiresOn: addDays(today, -1) }))).toEqual([
      422,
      { message: 'This paper has expired. Please file one that is still valid.' },
    ]);
    expect(await answerOf(file({ expiresOn: '2206-01-31' }))).toEqual([
      422,
      { message: 'Expiration date is too far ahead. Please check it.' },
    ]);
  });

  test('is valid, then expires soon, then is expired', () => {
    const standing = (days: number) => paperStanding(addDays(today, days), today);
    expect([61, 60, 0, -1].map(standing)).toEqual(['valid', 'soon', 'soon', 'expired']);
  });

  // spec 10.19
  test('is one of each kind: another replaces it and stays stored, and the file with it', async () => {
    await filed();
    const insurance = await filed({ kind: 'insurance', number: '77' });
    const second = await filed({ expiresOn: addDays(today, 600) });
    expect(insurance.number).toBe('****');
    expect(await papersOf()).toEqual([second, insurance]);
    expect((await rows()).filter(({ replaced_at }) => replaced_at !== null)).toMatchObject([
      { kind: 'registration', expires_on: addDays(today, 300) },
    ]);
  });

  // spec 10.19
  test('is one on file after ten at once, and each has its file', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => file({ number: `N-${nth}000` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const kept = await rows();
    expect(kept).toHaveLength(10);
    expect(kept.filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1);
    for (const { file_key } of kept) expect(await api.ctx.files.get(file_key)).not.toBeNull();
  });

  test('is deleted with its file where it is removed, and no sweep takes one that is kept', async () => {
    await filed();
    const kept = await filed({ kind: 'insurance' });
    const before = await rows();
    const keyOf = (kind: string) => before.find((row) => row.kind === kind)!.file_key;
    expect((await remove()).body).toEqual({ success: true });
    expect(await papersOf()).toEqual([kept]);
    await removeUnkeptFiles(api.ctx, [keyOf('registration'), keyOf('insurance')]);
    expect(await api.ctx.files.get(keyOf('registration'))).toBeNull();
    expect(await api.ctx.files.get(keyOf('insurance'))).not.toBeNull();
    expect(await sweepsOf(keyOf('registration'))).toBeGreaterThan(0);
    expect(await answerOf(show())).toEqual(NOT_FOUND);
    expect((await remove()).body).toEqual({ success: true });
    expect(await rows()).toHaveLength(1);
  });

  test('is in the audit trail when it is filed and removed, without its number', async () => {
    await filed();
    const [{ id } = { id: '' }] = await rows();
    await remove();
    const events = await api.owner
      .selectFrom('audit_events')
      .selectAll()
      .where('kind', 'in', ['vehicle_paper_filed', 'vehicle_paper_removed'])
      .where(sql<boolean>`details ->> 'paperId' = ${id}`)
      .orderBy('position')
      .execute();
    expect(events).toMatchObject([
      { kind: 'vehicle_paper_filed', ledger_id: ledgerId, details: { paper: 'registration' } },
      { kind: 'vehicle_paper_removed', ledger_id: ledgerId, details: { paper: 'registration' } },
    ]);
    expect(JSON.stringify(events)).not.toContain('88120042');
  });

  test('is limited to twenty filings an hour of a tenant record', async () => {
    expect(limits['vehicle-papers-an-hour']).toEqual({ most: 20, seconds: 3600 });
    const { config } = api.ctx;
    const wide = config.limits;
    config.limits = { ...wide, 'vehicle-papers-an-hour': { most: 1, seconds: 3600 } };
    try {
      const path = pathOf(lee, leesLedger);
      const answers = [await file({}, lee, path), await file({}, lee, path)];
      expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    } finally {
      config.limits = wide;
    }
  });
});

describe('another tenant', () => {
  // spec 7.87
  test('can neither file, see, remove nor open a paper: 404, and nothing changes', async () => {
    await filed();
    const before = await rows();
    const answers = [
      await file({}, lee, pathOf(lee, ledgerId)),
      await file({}, lee, pathOf(dana)),
      await show('registration', lee, pathOf(dana)),
      await show('registration', lee, pathOf(lee, leesLedger)),
      await show('registration', lee, pathOf(lee, ledgerId)),
      await remove('registration', lee, pathOf(lee, ledgerId)),
      await remove('registration', lee, pathOf(dana)),
      await api.call('GET', `${tenantPath(dana)}/vehicle-papers`, { token: lee.token }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual(NOT_FOUND);
    expect(await rows()).toEqual(before);
  });

  test('nor a record of the same sign-in that does not rent the unit, nor an ended rental', async () => {
    await filed();
    const other = pathOf(dana).replace(dana.tenantIds[0]!, dana.tenantIds[1]!);
    expect(await answerOf(show('registration', dana, other))).toEqual(NOT_FOUND);
    expect(await answerOf(file({}, dana, other))).toEqual(NOT_FOUND);
    expect(await answerOf(remove('registration', dana, other))).toEqual(NOT_FOUND);
    expect(await answerOf(show('title'))).toEqual(NOT_FOUND);
    const sam = await signIn(api, 'sam@example.com');
    const ended = await api.owner
      .selectFrom('ledgers')
      .select('id')
      .where('moved_out_on', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(await answerOf(file({}, sam, pathOf(sam, ended.id)))).toEqual(NOT_FOUND);
  });
});

test('papers are deleted with their files two years after they were replaced or the rental ended', async () => {
  await filed();
  await filed();
  await filed({ kind: 'insurance' });
  const first = (await rows()).find(({ replaced_at }) => replaced_at !== null)!;
  const age = async (id: string, days: number) => {
    await sql`UPDATE vehicle_papers SET replaced_at = now() - make_interval(days => ${days}) WHERE id = ${id}`.execute(
      api.owner,
    );
    await forgetOldVehiclePapers(api.ctx);
    return (await rows()).length;
  };
  expect([await age(first.id, 729), await age(first.id, 732)]).toEqual([3, 2]);
  const endedFor = async (days: number | null) => {
    await sql`UPDATE ledgers SET moved_out_on = (now() - make_interval(days => ${days}))::date WHERE id = ${ledgerId}`.execute(
      api.owner,
    );
    await forgetOldVehiclePapers(api.ctx);
    return rows();
  };
  const kept = await endedFor(729);
  expect(kept).toHaveLength(2);
  expect(await endedFor(733)).toEqual([]);
  await endedFor(null);
  const { file_key } = kept.find(({ kind }) => kind === 'insurance')!;
  expect(await sweepsOf(file_key)).toBeGreaterThan(0);
});

async function answerOf(call: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await call;
  return [status, body];
}

/** The files of papers in the store. */
async function stored(): Promise<number> {
  const kept = (await rows()).map(({ file_key }) => file_key);
  return (await files()).filter((name) => kept.some((key) => name.includes(key))).length;
}

/** How many jobs are due that remove the file. */
async function sweepsOf(key: string): Promise<number> {
  const { rows: jobs } = await sql`
    SELECT id FROM pgboss.job WHERE name = 'sweep-file' AND data ->> 'key' = ${key} AND start_after <= now()`.execute(
    api.owner,
  );
  return jobs.length;
}
