import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { reportTables } from '@gatehouse/contract/office/report-tables';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { importInProcess, importsOf } from '#test/lease-imports.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { getRow } from '#test/rows.ts';
import { makeUser, postCharges } from '#seeds/builders.ts';
import { runImport } from './imports.ts';

const api = useTestApp('demo_template');
beforeAll(() => importInProcess(api));
const { cancel, csv, read, send } = importsOf(api);

const headings = 'Unit,Type,Size,Tenant,Move In,Paid Thru,Rent,Balance,Deposit,Email,Gate Code';
const rowsOf = (letter: string, rent: number) => [
  `${letter}1,RV,12x40,Undo${letter} Ann,1/15/2024,10/31/2026,${rent},450,100,ann.${letter}@undo.example,${letter}${letter}11`,
  `${letter}2,RV,12x40,Undo${letter} Ann,2/15/2024,11/30/2026,${rent},-75,0,ann.${letter}@undo.example,${letter}${letter}12`,
  `${letter}3,RV,12x40,Undo${letter} Bob,3/15/2024,11/30/2026,${rent},0,0,bob.${letter}@undo.example,${letter}${letter}13`,
];
const sheetOf = (letter: string, rent = 200) => csv([headings, ...rowsOf(letter, rent)].join('\n'));
const bring = async (letter: string, rent = 200) => {
  const { run } = await send(sheetOf(letter, rent), { isPreview: false });
  expect([run.says, run.report!.faults, run.imported]).toEqual([
    null,
    [],
    [{ facility: 'TXDFW03', leases: 3, isUndone: false }],
  ]);
  return run.importId;
};

const undo = async (importId: string, { isPreview = false, as = '', key = randomUUID() } = {}) =>
  callOffice(api, 'POST', '/office/verbs/imports/undo', {
    as: as || (await signInStaff(api, 'owner')),
    body: { key, why: 'The wrong file.', isPreview, importId },
  });

/** The id of the job that was asked for last. */
const lastRun = async () =>
  (
    await api.sql<{ id: string }>`
    SELECT id FROM lease_imports WHERE undoes IS NOT NULL AND state IN ('waiting', 'running')`
  )[0]!.id;

const undoWholly = async (importId: string) => {
  const { status, body } = await undo(importId);
  expect([status, body.message]).toEqual([200, undefined]);
  const runId = await lastRun();
  await runImport(api.ctx, runId);
  return read(runId);
};

/** What the office shows of the facilities: reports, lists, search and the journal. */
const seenInOffice = async () => {
  const as = await signInStaff(api, 'owner');
  const get = async (path: string) => {
    const { status, body } = await callOffice(api, 'GET', path, { as });
    expect([path, status]).toEqual([path, 200]);
    return body as unknown;
  };
  const seen: Record<string, unknown> = {};
  const today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  for (const report of Object.keys(reportTables)) {
    const to = report === 'autopay' ? today : '2026-12-31';
    seen[report] = await get(`/office/reports/table?report=${report}&from=2026-01-01&to=${to}`);
  }
  for (const path of ['today', 'units?limit=200', 'tenants?q=undo', 'units?q=Q1', 'late'])
    seen[path] = await get(`/office/${path}`);
  seen['journal'] = await get('/office/journal?from=2026-01-01&to=2026-12-31&basis=accrual');
  return seen;
};

test('an owner undoes an import, and no list, report, journal, search or tenant shows it', async () => {
  const before = await seenInOffice();
  const importId = await bring('Q');
  expect(await seenInOffice()).not.toEqual(before);
  const { body: preview } = await undo(importId, { isPreview: true });
  expect(preview).toEqual({
    facilities: [
      {
        locationCode: 'TXDFW03',
        importedOn: '2026-11-25',
        ...{ leases: 3, tenants: 2, units: 3, owed: 450, credit: 75 },
      },
    ],
  });
  const run = await undoWholly(importId);
  expect([run.state, run.says]).toEqual(['done', null]);
  expect((await read(importId)).imported).toEqual([
    { facility: 'TXDFW03', leases: 3, isUndone: true },
  ]);
  expect(await seenInOffice()).toEqual(before);
  await expectSoundBooks(api.owner);
  expect(
    await api.sql`
      SELECT l.balance_cents::int AS balance, count(e.id)::int AS entries FROM ledgers l
      JOIN entries e ON e.ledger_id = l.id WHERE l.import_id = ${importId} GROUP BY l.id ORDER BY 2 DESC`,
  ).toEqual([expect.objectContaining({ balance: 0 }), { balance: 0, entries: 2 }]);
  const events = await api.sql`
    SELECT f.location_code AS code, e.details->>'why' AS why, e.details->>'leases' AS leases
    FROM audit_events e JOIN facilities f ON f.id = e.facility_id
    WHERE e.details->>'verb' = 'imports.undo'`;
  expect(events).toEqual([{ code: 'TXDFW03', why: 'The wrong file.', leases: '3' }]);
  expect((await undo(importId)).status).toBe(404);
});

test('the corrected file is imported again at once, with the same units, people and gate codes', async () => {
  await undoWholly(await bring('R'));
  const again = await bring('R', 300);
  const rentals = await api.sql`
    SELECT u.name, t.name AS tenant, l.rental_rate_cents::int AS rate FROM ledgers l
    JOIN units u ON u.id = l.unit_id JOIN tenants t ON t.id = l.tenant_id
    WHERE l.import_id = ${again} ORDER BY 1`;
  expect(rentals).toEqual([
    { name: 'R1', tenant: 'UndoR Ann', rate: 30000 },
    { name: 'R2', tenant: 'UndoR Ann', rate: 30000 },
    { name: 'R3', tenant: 'UndoR Bob', rate: 30000 },
  ]);
  await expectSoundBooks(api.owner);
  expect((await undoWholly(again)).state).toBe('done');
  await expectSoundBooks(api.owner);
});

type Made = { ledgerId: string; tenantId: string; unitId: string };
const made = async (unit: string) =>
  (
    await api.sql<Made>`
    SELECT l.id AS "ledgerId", l.tenant_id AS "tenantId", l.unit_id AS "unitId"
    FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = ${unit}`
  )[0]!;

test.each<[string, string, (made: Made) => Promise<unknown>, string]>([
  [
    'posted to',
    'SA',
    ({ ledgerId }) =>
      postCharges(api.owner, ledgerId, [
        { category: 'fee', description: 'Fee', dueOn: '2026-11-25', priceCents: 1500 },
      ]),
    'SA1 UndoSA Ann (posted to)',
  ],
  [
    'changed a tenant',
    'SB',
    ({ tenantId }) => api.sql`UPDATE tenants SET phone = '2145550100' WHERE id = ${tenantId}`,
    'UndoSB Ann (changed)',
  ],
  [
    'changed a unit',
    'SC',
    ({ unitId }) => api.sql`UPDATE units SET street_rate_cents = 100 WHERE id = ${unitId}`,
    'SC1 (changed)',
  ],
  [
    'signed up',
    'SD',
    async ({ tenantId }) => {
      const [{ id } = { id: '' }] = await api.sql<{ id: string }>`SELECT id FROM corporations`;
      const sign = { email: 'ann.sd@undo.example', password: 'correct horse 9' };
      await makeUser(api.owner, { corporationId: id, ...sign, tenantIds: [tenantId] });
    },
    'UndoSD Ann (signed up)',
  ],
  [
    'made a document to be signed',
    'SE',
    ({ ledgerId }) => api.sql`
      INSERT INTO esign_documents (ledger_id, form_name, envelope_status_id) VALUES (${ledgerId}, 'Lease', 1)`,
    'SE1 UndoSE Ann (has esign documents)',
  ],
  [
    'changed a gate code',
    'SF',
    ({ ledgerId }) =>
      api.sql`UPDATE gate_codes SET access_code = access_code || '' WHERE ledger_id = ${ledgerId}`,
    'SF1 UndoSF Ann (its gate code was changed)',
  ],
  [
    'rented another unit to a tenant',
    'SG',
    async () => {
      const row = 'SG9,RV,12x40,UndoSG Ann,1/15/2024,11/30/2026,200,0,0,ann.SG@undo.example,SGSG19';
      await send(csv(`${headings}\n${row}`), { isPreview: false });
    },
    'UndoSG Ann (a rental was changed or added)',
  ],
])(
  'what was imported is not undone once staff or tenants have %s',
  async (_, letter, act, says) => {
    const importId = await bring(letter);
    await act(await made(`${letter}1`));
    for (const isPreview of [true, false]) {
      const { status, body } = await undo(importId, { isPreview });
      expect([status, body.message]).toEqual([422, expect.stringContaining(says)]);
    }
    expect((await made(`${letter}1`)).tenantId).toMatch(/-/);
  },
);

test('a rental of a tenant and a unit that were here before is not taken back once staff locked it', async () => {
  await bring('J');
  await api.sql`
    INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
    SELECT facility_id, 'J9', 12, 40, 'RV' FROM units WHERE name = 'J1'`;
  const row = 'J9,RV,12x40,UndoJ Ann,1/15/2024,11/30/2026,200,0,0,ann.J@undo.example,JJ19';
  const { run } = await send(csv(`${headings}\n${row}`), { isPreview: false });
  const { ledgerId } = await made('J9');
  await api.sql`UPDATE ledgers SET overlocked_at = ${api.ctx.clock.now()} WHERE id = ${ledgerId}`;
  const { status, body } = await undo(run.importId);
  expect([status, body.message]).toEqual([
    422,
    expect.stringContaining('J9 UndoJ Ann (a rental was changed or added)'),
  ]);
});

test('a push of the gates that is under way does not report an undone unit as known', async () => {
  const importId = await bring('K');
  const [{ id } = { id: '' }] = await api.sql<{ id: string }>`
    SELECT facility_id AS id FROM units WHERE name = 'K1'`;
  await api.sql`
    INSERT INTO gate_controllers (facility_id, sequence, next_at, synced_at) VALUES (${id}, 7, ${api.ctx.clock.now()}, ${api.ctx.clock.now()})
    ON CONFLICT (facility_id) DO UPDATE SET sequence = 7`;
  expect((await undoWholly(importId)).state).toBe('done');
  const { sequence } = await getRow(api.owner, 'gate_controllers', 'sequence', { facility_id: id });
  expect(sequence).toBe(8);
});

test('a member whose session ends between the order and its job takes nothing back', async () => {
  const importId = await bring('L');
  const as = await signInStaff(api, 'owner');
  expect((await undo(importId, { as })).status).toBe(200);
  await callOffice(api, 'POST', '/office/sign-out', { as, body: {} });
  const runId = await lastRun();
  await runImport(api.ctx, runId);
  const run = await read(runId);
  expect([run.state, run.says]).toEqual([
    'failed',
    'Your session has ended. Please sign in again.',
  ]);
  expect((await read(importId)).imported[0]!.isUndone).toBe(false);
});

test('what comes between the order and its job is not lost either', async () => {
  const importId = await bring('T');
  expect((await undo(importId)).status).toBe(200);
  const { ledgerId } = await made('T1');
  await postCharges(api.owner, ledgerId, [
    { category: 'fee', description: 'Fee', dueOn: '2026-11-25', priceCents: 1500 },
  ]);
  const runId = await lastRun();
  await runImport(api.ctx, runId);
  const run = await read(runId);
  expect([run.state, run.says]).toEqual(['failed', expect.stringContaining('posted to')]);
  expect((await read(importId)).imported[0]!.isUndone).toBe(false);
});

test('of two requests at once one undoes the import, and its job does it once', async () => {
  const importId = await bring('U');
  const as = await signInStaff(api, 'owner');
  const answers = await Promise.all([undo(importId, { as }), undo(importId, { as })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  const runId = await lastRun();
  await Promise.all([runImport(api.ctx, runId), runImport(api.ctx, runId)]);
  const credits = await api.sql<{ count: number }>`
    SELECT count(*)::int AS count FROM credits c JOIN ledgers l ON l.id = c.ledger_id
    WHERE l.import_id = ${importId} AND c.description = 'Imported by mistake'`;
  expect([(await read(runId)).state, credits]).toEqual(['done', [{ count: 1 }]]);
  await expectSoundBooks(api.owner);
});

test('a process that ends at any line of the undoing leaves it to the next, whole facilities at a time', async () => {
  const at = (place: string, unit: string) =>
    `${place},${unit},RV,12x40,UndoV ${unit},1/15/2024,11/30/2026,200,45,0,${unit}@undo.example,`;
  const codes = (
    await api.sql<{ code: string }>`
    SELECT location_code AS code FROM facilities ORDER BY 1 LIMIT 2`
  ).map(({ code }) => code);
  const text = [`Facility,${headings}`, at(codes[0]!, 'V1'), at(codes[1]!, 'V2')].join('\n');
  const { run } = await send(csv(text), { isPreview: false });
  expect(run.imported.map(({ facility }) => facility)).toEqual(codes);
  await undo(run.importId);
  const runId = await lastRun();
  const left = async () =>
    (await read(run.importId)).imported.filter(({ isUndone }) => !isUndone).length;
  const seen = new Set<number>();
  for (let lines = 1; ; lines += 1) {
    let calls = 0;
    const now = () => {
      calls += 1;
      if (calls >= lines) throw new Error('the process ended');
      return api.ctx.clock.now();
    };
    await api.sql`UPDATE lease_imports SET tries = 0 WHERE id = ${runId}`;
    const error = await runImport({ ...api.ctx, clock: { now } }, runId).catch(
      (e: unknown) => e as Error,
    );
    seen.add(await left());
    await expectSoundBooks(api.owner);
    if (error === undefined) break;
    expect(error.message).toBe('the process ended');
    expect((await read(runId)).state).toBe('running');
  }
  expect([...seen]).toEqual([2, 1, 0]);
  expect((await read(runId)).state).toBe('done');
});

test('an undoing that is cancelled before its job has done it takes nothing back', async () => {
  const importId = await bring('X');
  await undo(importId);
  const runId = await lastRun();
  expect((await cancel(runId)).body.state).toBe('cancelled');
  await runImport(api.ctx, runId);
  expect((await read(importId)).imported[0]!.isUndone).toBe(false);
  expect((await undoWholly(importId)).state).toBe('done');
});

test('an invitation that is not sent yet is closed, and the address is invited again later', async () => {
  const importId = await bring('Y');
  const invite = async () =>
    callOffice(api, 'POST', '/office/verbs/tenants/invite', {
      as: await signInStaff(api, 'owner'),
      body: { key: randomUUID(), why: '', isPreview: false, locationCode: 'TXDFW03', most: 500 },
    });
  const first = await invite();
  expect(first.body.names).toContain('UndoY Ann');
  const waiting = () => api.sql`SELECT FROM mails WHERE to_address = 'ann.Y@undo.example'`;
  expect(await waiting()).toHaveLength(1);
  expect((await undoWholly(importId)).state).toBe('done');
  expect(await waiting()).toEqual([]);
  await bring('Y');
  expect((await invite()).body.names).toContain('UndoY Ann');
});
