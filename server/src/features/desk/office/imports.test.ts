import { beforeAll, expect, test } from 'vitest';
import { createLeaseImporter } from '#app/lease-importer.ts';
import { workbook } from '#operator/imports/sheets/sheets.fixture.ts';
import { hashToken } from '#http/token.ts';
import { useTestApp } from '#test/app.ts';
import { urlOf } from '#test/cli.ts';
import { importInProcess, importsOf, sheet } from '#test/lease-imports.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { forgetOldImports, runImport } from './imports.ts';

const api = useTestApp('demo_template');
beforeAll(() => importInProcess(api));

const { ask, cancel, csv, read, send } = importsOf(api);
const countUnits = async () =>
  (await api.sql<{ count: number }>`SELECT count(*) FROM units WHERE name LIKE 'N90%'`)[0]!.count;

test('an owner uploads a sheet, reads its map and faults, applies a remedy and imports it', async () => {
  const { body: first } = await send(csv());
  expect(first.files[0]!.columns.map(({ field }) => field)).toEqual([
    ...['unit', 'unit_type', 'size', 'name', 'moved_in_on', 'paid_through', 'rental_rate'],
    ...['balance', 'email', null],
  ]);
  expect(first.faults.map((one) => [one.kind, one.count])).toEqual([
    ['two-digit-year', 3],
    ['two-digit-year', 3],
  ]);
  expect(first.faultyRows).toContain('Why,Unit');
  const remedies = ['two-digit-year'];
  const { body: ready } = await send(csv(), { remedies });
  expect([ready.faults, ready.leases, ready.withoutSignIn]).toEqual([[], 3, ['Kim Sun']]);
  expect(ready.balances).toEqual([expect.objectContaining({ facility: 'TXDFW03', charged: 50 })]);
  expect(ready.firstDays).toHaveLength(1);
  expect([ready.isDone, await countUnits()]).toEqual([false, 0]);
  const { body: done } = await send(csv(), { remedies, isPreview: false });
  expect([done.isDone, await countUnits()]).toEqual([true, 3]);
  const { body: again } = await send(csv(), { remedies, isPreview: false });
  expect([again.isDone, again.left]).toEqual([
    false,
    ['3 rentals are here already and were left as they are.'],
  ]);
});

test('the audit trail says of the facility who imported which files', async () => {
  await send(csv(sheet.replaceAll('N90', 'M90')), {
    remedies: ['two-digit-year'],
    isPreview: false,
  });
  const events = await api.sql<{ code: string; by: string; files: string; staff: string }>`
    SELECT f.location_code AS code, e.details->>'by' AS by, e.details->>'files' AS files, m.role AS staff
    FROM audit_events e JOIN facilities f ON f.id = e.facility_id JOIN staff_members m ON m.id = e.staff_id
    WHERE e.details->>'verb' = 'import' ORDER BY e.id DESC LIMIT 1`;
  expect(events).toEqual([
    {
      code: 'TXDFW03',
      by: expect.any(String),
      files: expect.stringMatching(/^rent-roll\.csv [0-9a-f]{64}$/),
      staff: 'owner',
    },
  ]);
});

test('a record whose address an import moves or joins names the member who imported', async () => {
  const roll = (...rows: string[]) =>
    csv(
      ['Unit,Type,Size,Tenant,Tenant ID,Move In,Paid Thru,Rent,Balance,Email', ...rows].join('\n'),
    );
  const as = await signInStaff(api, 'owner');
  const bring = (files: ReturnType<typeof csv>, joined: string[] = []) =>
    send(files, { as, joined, isPreview: false });
  await bring(roll('L901,RV,12x40,Park Ona,77,2/15/2024,11/30/2026,200,0,ona@old.example'));
  await bring(roll('L902,RV,12x40,Park Ona,77,2/15/2024,11/30/2026,200,0,ona@new.example'));
  await bring(
    roll(
      'L903,RV,12x40,Moss Ida,78,2/15/2024,11/30/2026,200,0,both@new.example',
      'L904,RV,12x40,Vega Leo,79,2/15/2024,11/30/2026,200,0,both@new.example',
    ),
    ['both@new.example'],
  );
  const events = await api.sql<{ details: Record<string, string>; staff: string | null }>`
    SELECT e.details, m.role AS staff FROM audit_events e JOIN tenants t ON t.id = e.tenant_id
    LEFT JOIN staff_members m ON m.id = e.staff_id
    WHERE e.details->>'verb' = 'import' AND t.email LIKE '%@new.example' ORDER BY e.id`;
  const by = expect.stringMatching(/\w/);
  const moved = { from: 'ona@old.example', mailedTo: 'ona@new.example', sessionsEnded: '0' };
  const joined = { staff: 'owner', details: { verb: 'import', by, why: '', joined: 'true' } };
  expect(events).toEqual([
    { staff: 'owner', details: { verb: 'import', by, why: '', ...moved, joined: 'false' } },
    joined,
    joined,
  ]);
});

test('a file that would be read for minutes holds no other call, and is refused in a sentence', async () => {
  const importer = createLeaseImporter(await urlOf(api), api.ctx.config, 3000);
  const before = api.ctx.importLeases;
  api.ctx.importLeases = importer;
  // An attribute of 10 MB, in which the reader of a workbook looks for its end again and again.
  const cell = `<row r="1"><c r="A1" t="${'x'.repeat(10 * 1024 * 1024)}"><v>1</v></c></row>`;
  const bytes = workbook([], cell);
  const waiting = send([{ name: 'rent-roll.xlsx', bytes }]);
  const meanwhile = await callOffice(api, 'GET', '/office/me', {
    as: await signInStaff(api, 'clerk'),
  });
  expect(meanwhile.status).toBe(200);
  const { run } = await waiting;
  api.ctx.importLeases = before;
  expect([run.state, run.says, run.report]).toEqual([
    'failed',
    'The files take longer than 3 seconds: save them as CSV, import fewer at once, or use the command.',
    null,
  ]);
});

test.each([
  [
    'no sheet',
    'hello',
    'rent-roll.csv has no row with headings such as Unit, Tenant Name and Balance in its first 30 rows.',
  ],
  ['a broken workbook', 'PK\u0003\u0004x', 'rent-roll.csv is no .xlsx file.'],
])('%s is refused in a sentence', async (_, text, message) => {
  const { run } = await send(csv(text));
  expect([run.state, run.says]).toEqual(['failed', message]);
});

test('an import by whom an owner has disabled meanwhile keeps nothing', async () => {
  const as = await signInStaff(api, 'owner');
  const before = api.ctx.importLeases;
  api.ctx.importLeases = async (...given) => {
    await api.sql`DELETE FROM staff_sessions WHERE token_hash = ${hashToken(as)}`;
    return before(...given);
  };
  const text = sheet.replaceAll('N90', 'K90');
  const { run } = await send(csv(text), { as, remedies: ['two-digit-year'], isPreview: false });
  api.ctx.importLeases = before;
  expect([run.state, run.imported]).toEqual(['failed', []]);
  expect(await api.sql`SELECT FROM units WHERE name LIKE 'K90%'`).toEqual([]);
});

const unitsLike = async (name: string) =>
  (await api.sql`SELECT FROM units WHERE name LIKE ${`${name}%`}`).length;
const wanted = { remedies: ['two-digit-year'], isPreview: false };

test('the files of an import are sealed while it waits, and gone once it has ended', async () => {
  const { body } = await ask(csv(sheet.replaceAll('N90', 'S90')), wanted);
  const given = async () =>
    (
      await api.sql<{
        given: string | null;
      }>`SELECT given FROM lease_imports WHERE id = ${body.importId}`
    )[0]!.given;
  expect(await given()).toMatch(/^sealed:1:/);
  expect((await ask(csv())).body.message).toBe(
    'Another import is under way. Wait until it is through.',
  );
  await runImport(api.ctx, body.importId);
  expect(await given()).toBeNull();
  expect((await read(body.importId)).imported).toEqual([
    { facility: 'TXDFW03', leases: 3, isUndone: false },
  ]);
});

test('a cancelled import writes nothing, whether it waits or runs', async () => {
  const { body: waiting } = await ask(csv(sheet.replaceAll('N90', 'W90')), wanted);
  expect((await cancel(waiting.importId)).body).toEqual({ state: 'cancelled', imported: [] });
  await runImport(api.ctx, waiting.importId);
  const { body: running } = await ask(csv(sheet.replaceAll('N90', 'W90')), wanted);
  const before = api.ctx.importLeases;
  const inThread = createLeaseImporter(await urlOf(api), api.ctx.config);
  api.ctx.importLeases = async (...given) => {
    expect((await cancel(running.importId)).body.state).toBe('cancelled');
    return inThread(...given);
  };
  await runImport(api.ctx, running.importId);
  api.ctx.importLeases = before;
  expect((await read(running.importId)).state).toBe('cancelled');
  expect(await unitsLike('W90')).toBe(0);
});

test('a process that ends before or after the commit of an import leaves it to the next, which doubles nothing', async () => {
  const before = api.ctx.importLeases;
  const { body } = await ask(csv(sheet.replaceAll('N90', 'C90')), wanted);
  for (const end of ['before', 'after'] as const) {
    api.ctx.importLeases = async (...given) => {
      if (end === 'after') await before(...given);
      throw new Error('the process ended');
    };
    await expect(runImport(api.ctx, body.importId)).rejects.toThrow('the process ended');
    expect((await read(body.importId)).state).toBe('running');
    expect(await unitsLike('C90')).toBe(end === 'after' ? 3 : 0);
  }
  api.ctx.importLeases = before;
  await runImport(api.ctx, body.importId);
  const run = await read(body.importId);
  expect([run.state, run.imported]).toEqual([
    'done',
    [{ facility: 'TXDFW03', leases: 3, isUndone: false }],
  ]);
  expect(await unitsLike('C90')).toBe(3);
  const balances = await api.sql<{ cents: number }>`
    SELECT sum(balance_cents)::int AS cents FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name LIKE 'C90%'`;
  expect(balances).toEqual([{ cents: 5000 }]);
});

test('an import that is begun again and again is given up in a sentence', async () => {
  const { body } = await ask(csv(sheet.replaceAll('N90', 'G90')), wanted);
  await api.sql`UPDATE lease_imports SET tries = 5 WHERE id = ${body.importId}`;
  await runImport(api.ctx, body.importId);
  const { state, says } = await read(body.importId);
  expect([state, says]).toEqual(['failed', 'It was begun several times and came to no end.']);
});

test('what an import found is read by its owner only, listed for every owner, and kept for a day', async () => {
  const { run } = await send(csv(sheet.replaceAll('N90', 'L90')), wanted);
  await api.sql`
    INSERT INTO staff_members (corporation_id, email, name, password_hash, role, is_for_all, created_at)
    SELECT corporation_id, 'other@anchor-axle.example', 'Other Owner', password_hash, role, is_for_all, created_at
    FROM staff_members WHERE email = 'owner@anchor-axle.example'`;
  const other = await signInStaff(api, { email: 'other@anchor-axle.example' });
  const asked = await callOffice(api, 'GET', `/office/imports/${run.importId}`, { as: other });
  expect(asked.status).toBe(404);
  const list = await callOffice(api, 'GET', '/office/imports', { as: other });
  expect(list.body.rows).toContainEqual(
    expect.objectContaining({ importId: run.importId, state: 'done' }),
  );
  const later = new Date(api.ctx.clock.now().getTime() + 25 * 3_600_000);
  await forgetOldImports({ ...api.ctx, clock: { now: () => later } });
  expect(await api.sql`SELECT FROM lease_imports WHERE is_preview OR report IS NOT NULL`).toEqual(
    [],
  );
});
