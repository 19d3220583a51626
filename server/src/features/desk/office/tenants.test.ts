import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase, TIME_LIMITS } from '#db/database.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { makeLedger, makeStaffMember, makeTenant } from '#seeds/builders.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { queueText } from '#features/service/texts/texts.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { pagesOf } from '#test/pdf.ts';
import { databaseUrl } from '#test/templates.ts';
import { testClock } from '#test/test-day.ts';
import { readTenantFile } from './tenants.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let clerk: string;
let manager: string;
let owner: string;
let dana: { tenantId: string; ledgerId: string };
let maria: { tenantId: string; ledgerId: string };
beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  manager = await signInStaff(api, 'manager');
  owner = await signInStaff(api, 'owner');
  dana = await rentalOf('dana@example.com', 'TXDFW03', 'A101');
  maria = await rentalOf('maria@example.com', 'AZPHX01');
});

async function rentalOf(email: string, locationCode: string, unit: string | null = null) {
  const rows = await api.sql<{ tenantId: string; ledgerId: string }>`
    SELECT t.id AS "tenantId", l.id AS "ledgerId" FROM tenants t JOIN ledgers l ON l.tenant_id = t.id
    JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = t.facility_id
    WHERE t.email = ${email} AND f.location_code = ${locationCode} AND (${unit}::text IS NULL OR u.name = ${unit})
    ORDER BY u.name LIMIT 1`;
  return rows[0]!;
}

/** The address of a new clerk of one facility. */
async function onlyAt(locationCode: string): Promise<string> {
  const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: locationCode });
  const email = `${locationCode.toLowerCase()}@anchor-axle.example`;
  await makeStaffMember(api.owner, {
    email,
    name: 'Kim Ode',
    role: 'clerk',
    password: randomUUID(),
    facilityIds: [id],
    createdAt: testClock.now(),
  });
  return email;
}

const get = (path: string, as = clerk, query?: Record<string, string>) =>
  callOffice(api, 'GET', path, { as, ...(query && { query }) });
const post = (path: string, body: object, as = clerk) =>
  callOffice(api, 'POST', path, { as, body });
const lastEvent = async () =>
  (await api.owner
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst())!;

describe('tenant records', () => {
  test('are listed by name, page by page, each once, of the member’s facilities only', async () => {
    const seen: { id: string; lastName: string; locationCode: string }[] = [];
    let after: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(after !== null && { after }) };
      const { status, body } = await get('/office/tenants', clerk, query);
      expect(status).toBe(200);
      expect(body.rows.length).toBeLessThanOrEqual(2);
      seen.push(...body.rows);
      after = body.next;
    } while (after !== null);
    const rows = await api.sql<{ count: number }>`
      SELECT count(*)::int AS count FROM tenants t JOIN facilities f ON f.id = t.facility_id
      WHERE f.location_code IN ('TXDFW03', 'TXDFW03A')`;
    expect(new Set(seen.map(({ id }) => id)).size).toBe(rows[0]!.count);
    expect(seen.length).toBe(rows[0]!.count);
    const names = seen.map(({ lastName }) => lastName.toLowerCase());
    expect(names).toEqual(names.toSorted());
    for (const { locationCode } of seen) expect(['TXDFW03', 'TXDFW03A']).toContain(locationCode);
  });

  test('are found by name, email, phone, unit, receipt and the last four digits of a card', async () => {
    const rows = await api.sql<{ receipt: string; lastFour: string }>`
      SELECT (SELECT receipt_number FROM payments WHERE ledger_id = ${dana.ledgerId} LIMIT 1) AS receipt,
        (SELECT last_four FROM payment_methods WHERE tenant_id = ${dana.tenantId} LIMIT 1) AS "lastFour"`;
    const texts = ['Rey', 'dana@', '(817) 555-0142', 'a101', rows[0]!.receipt, rows[0]!.lastFour];
    for (const q of texts) {
      const { body } = await get('/office/tenants', clerk, { q });
      const ids = (body.rows as { id: string }[]).map(({ id }) => id);
      expect([q, ids.includes(dana.tenantId)]).toEqual([q, true]);
    }
    expect((await get('/office/tenants', clerk, { q: 'R' })).status).toBe(422);
    expect((await get('/office/tenants', clerk, { q: 'maria@' })).body.rows).toEqual([]);
    expect((await get('/office/tenants', owner, { q: 'maria@' })).body.rows).toMatchObject([
      { id: maria.tenantId, locationCode: 'AZPHX01' },
    ]);
  });

  test('are found in every list by a name or unit without its accents and signs', async () => {
    const late = await get('/office/late', clerk, { sort: 'balance' });
    const [row] = late.body.rows as { tenantId: string; lastName: string; unitName: string }[];
    const { tenantId, lastName, unitName } = row!;
    await changeRows(api.owner, 'tenants', { last_name: 'Núñez-O’Dea' }, { id: tenantId });
    for (const path of ['/office/late', '/office/tenants'])
      for (const q of ['nunez o', 'NÚÑEZODEA']) {
        const { body } = await get(path, clerk, { q });
        expect([path, q, body.rows.length > 0]).toEqual([path, q, true]);
        for (const found of body.rows) expect(found.lastName).toBe('Núñez-O’Dea');
      }
    const written = (name: string) => `${name.slice(0, 1).toLowerCase()}-${name.slice(1)}`;
    for (const [path, unit] of [
      ['/office/late', unitName],
      ['/office/rates', 'A101'],
      ['/office/units', 'A101'],
    ] as const) {
      const { body } = await get(path, manager, { q: written(unit) });
      expect([path, body.rows.length > 0]).toEqual([path, true]);
    }
    await changeRows(api.owner, 'tenants', { last_name: lastName }, { id: tenantId });
  });

  // spec 10.37
  test('are found by a word within a name, as the name is now, and by the number of a check', async () => {
    const found = async (q: string, as = clerk) =>
      ((await get('/office/tenants', as, { q })).body.rows as { id: string }[]).map(({ id }) => id);
    const add = async (lastName: string, locationCode: string, as: string) => {
      const names = { firstName: 'Rosa Lynn', lastName, email: `${locationCode}@example.com` };
      const place = { street1: '1 Dock Road', city: 'Azle', region: 'TX', postalCode: '76020' };
      const { body } = await doVerb(api, as, 'tenants/add', {
        ...names,
        ...place,
        phone: '8175550177',
        locationCode,
      });
      return body.tenantId as string;
    };
    const zephyr = await add('Reyes Zephyr, L.L.C.', 'TXDFW03', clerk);
    const other = await add('Quay-Zephyr', 'AZPHX01', owner);
    for (const q of ['zephy', 'ZEPHYR', 'zephyr, l.l.c.', 'lynn', 'Lynn Reyes'])
      expect([q, await found(q)]).toEqual([q, [zephyr]]);
    expect((await found('zephyr', owner)).toSorted()).toEqual([zephyr, other].toSorted());
    const rename = (lastName: string) =>
      changeRows(api.owner, 'tenants', { last_name: lastName }, { id: zephyr });
    await rename('Reyes & Harbor');
    expect([await found('zephyr'), await found('harbor')]).toEqual([[], [zephyr]]);

    const paid = await doVerb(api, clerk, 'payments/record', {
      ledgerIds: [dana.ledgerId],
      type: 'moneyOrder',
      number: 'MO-88123',
      amount: 10,
      why: 'Paid',
    });
    expect(paid.status).toBe(200);
    for (const q of ['mo-88123', 'Money order MO-88123'])
      expect([q, await found(q)]).toEqual([q, [dana.tenantId]]);
    const phoenix = await signInStaff(api, { email: await onlyAt('AZPHX01') });
    expect([await found('mo-88123', phoenix), await found('harbor', phoenix)]).toEqual([[], []]);
  });

  test('are limited to one facility, and another’s is not there', async () => {
    const { body } = await get('/office/tenants', owner, { locationCode: 'AZPHX01' });
    expect(
      (body.rows as { locationCode: string }[]).every((row) => row.locationCode === 'AZPHX01'),
    ).toBe(true);
    expect((await get('/office/tenants', clerk, { locationCode: 'AZPHX01' })).status).toBe(404);
    expect((await get('/office/tenants', clerk, { locationCode: 'NOWHERE' })).status).toBe(404);
  });

  test('have pages of their own list only', async () => {
    const forged = Buffer.from('["name","asc","a","b","no uuid"]').toString('base64url');
    for (const after of ['x', forged, Buffer.from('["posted","desc","1"]').toString('base64url')])
      expect((await get('/office/tenants', clerk, { after })).status).toBe(422);
    for (const limit of ['0', '201', 'all'])
      expect((await get('/office/tenants', clerk, { limit })).status).toBe(422);
  });
});

describe('one record', () => {
  test('is shown whole, with masked methods, and audited before', async () => {
    const { status, body, text } = await get(`/office/tenants/${dana.tenantId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: dana.tenantId, locationCode: 'TXDFW03', lastName: 'Reyes' });
    expect(body.ledgers.length).toBeGreaterThan(1);
    expect(body.methods[0].description).toMatch(/ending in \d{4}$/);
    expect(text).not.toMatch(/sealed:1:|argon2/);
    expect(await lastEvent()).toMatchObject({
      kind: 'staff_action',
      tenant_id: dana.tenantId,
      details: { verb: 'tenants.show', by: 'Ana Flores' },
    });
  });

  test('has a running ledger: balances add up, and allocations say what settled what', async () => {
    const lines: {
      ledgerId: string;
      amount: number;
      balance: number;
      kind: string;
      open: number | null;
      settles: { amount: number }[];
    }[] = [];
    let after: string | null = null;
    do {
      const query: Record<string, string> = {
        limit: '7',
        ledgerId: dana.ledgerId,
        ...(after !== null && { after }),
      };
      const { body } = await get(`/office/tenants/${dana.tenantId}/books`, clerk, query);
      lines.push(...body.rows);
      after = body.next;
    } while (after !== null);
    const cents = (dollars: number) => Math.round(dollars * 100);
    let balance = 0;
    for (const line of lines.toReversed()) {
      balance += cents(line.amount);
      expect(cents(line.balance)).toBe(balance);
      const settled = line.settles.reduce((sum, { amount }) => sum + cents(amount), 0);
      if (line.kind === 'charge') expect(cents(line.amount)).toBe(cents(line.open!) + settled);
    }
    const row = await getRow(api.owner, 'ledgers', 'balance_cents', { id: dana.ledgerId });
    expect(balance).toBe(row.balance_cents);
  });

  // spec 10.38
  test('has next to a payment what was taken back of it, and why', async () => {
    const send = (verb: string, body: object) =>
      doVerb(api, manager, `payments/${verb}`, { ...body, why: 'test' });
    const pay = async (type: object) =>
      (await send('record', { ledgerIds: [dana.ledgerId], amount: 10, ...type })).body
        .receiptNumber as string;
    const [check, cash] = [await pay({ type: 'check', number: '77' }), await pay({ type: 'cash' })];
    await send('reverse', { receiptNumber: check, reason: 'nsf' });
    await send('refund', { receiptNumber: cash, amount: 4, way: 'cash' });
    const query = { ledgerId: dana.ledgerId };
    const { rows } = (await get(`/office/tenants/${dana.tenantId}/books`, clerk, query)).body;
    const takenBack = (receiptNumber: string) =>
      (rows as { receiptNumber: string; kind: string; takenBack: object[] }[]).find(
        (line) => line.receiptNumber === receiptNumber && line.kind === 'payment',
      )?.takenBack;
    expect([takenBack(check), takenBack(cash)]).toEqual([
      [{ reason: 'nsf', amount: 10 }],
      [{ reason: 'refund', amount: 4 }],
    ]);
    await expectSoundBooks(api.owner);
  });

  // spec 10.36
  test('says that a rental has ended, and has the final statement as it was mailed', async () => {
    const lee = await rentalOf('lee@example.com', 'TXDFW03');
    const on = calendarDateIn('America/Chicago', api.ctx.clock.now());
    const send = (verb: string, body: object) =>
      doVerb(api, manager, `rentals/${verb}`, { ...body, why: 'test' });
    const terms = { tenantId: lee.tenantId, unit: 'C009', on, rate: 155 };
    const begun = await send('move-in', terms);
    const { ledgerId } = begun.body.ledgers[0];
    const shown = async () =>
      ((await get(`/office/tenants/${lee.tenantId}`)).body.ledgers as { ledgerId: string }[]).find(
        (one) => one.ledgerId === ledgerId,
      );
    const statement = () => get(`/office/rentals/${ledgerId}/final-statement`);
    expect(await shown()).toMatchObject({ isEnded: false, hasFinalStatement: false });
    expect((await statement()).status).toBe(404);

    const ended = await send('move-out', { ledgerId, on, credit: 'keep' });
    expect(await shown()).toMatchObject({ isEnded: true, hasFinalStatement: true });
    const { status, body } = await statement();
    expect([status, body.fileName, body.contentType]).toEqual([
      200,
      'final-statement-C009.pdf',
      'application/pdf',
    ]);
    const text = pagesOf(Buffer.from(body.data as string, 'base64')).join('\n');
    const [mail] = (await mailsTo(api, 'lee@example.com')).slice(-1);
    expect(mail!.subject).toBe('Final statement of unit C009');
    expect(text).toContain('Final statement of unit C009');
    expect(ended.body.lines.length).toBeGreaterThan(0);
    for (const { description, amount } of ended.body.lines) {
      const sum = formatMoney(amount);
      expect(mail!.text).toContain(`${description}: ${sum}`);
      expect(text).toContain(description);
      expect(text).toContain(sum);
    }
    expect(text).toContain(formatMoney(begun.body.total));
    await expectSoundBooks(api.owner);
  });

  test('has its mails, without their texts', async () => {
    await doVerb(api, clerk, 'rentals/overlock', {
      ledgerId: dana.ledgerId,
      why: 'lien',
    });
    const { body, text } = await get(`/office/tenants/${dana.tenantId}/mails`);
    expect(body.rows[0]).toMatchObject({ to: 'dana@example.com', subject: expect.any(String) });
    expect(text).not.toContain('sealed:1:');
    await doVerb(api, clerk, 'rentals/release', {
      ledgerId: dana.ledgerId,
      why: 'paid',
    });
  });

  test('has no mail of another record of its address, and says which are of the address', async () => {
    const { facility_id } = await getRow(api.owner, 'tenants', 'facility_id', {
      id: dana.tenantId,
    });
    const tenantId = await makeTenant(api.owner, { facility_id, email: 'Dana@example.com' });
    const unit = { facility_id, name: 'Z901' };
    const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id: tenantId, unit });
    const overlock = (of: string) =>
      doVerb(api, clerk, 'rentals/overlock', {
        ledgerId: of,
        why: 'lien',
      });
    await overlock(ledgerId);
    await overlock(dana.ledgerId);
    const { prefix, token } = await signIn(api, 'dana@example.com');
    const issue = { issueType: 'gate', issueDescription: 'The keypad is dark.' };
    const body = { ledgerId: dana.ledgerId, ...issue };
    const asked = await api.call('POST', `${prefix}/maintenance-requests`, { token, body });
    expect(asked.status).toBe(200);
    const lookup = {
      email: 'dana@example.com',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    };
    expect((await api.call('POST', '/users/register', { body: lookup })).status).toBe(200);
    // A mail to staff about the record is none of the tenant's.
    expect(
      await findRows(api.owner, 'mails', 'id', {
        tenant_id: dana.tenantId,
        kind: 'maintenance_request_form',
      }),
    ).not.toEqual([]);
    const stored = await api.owner
      .selectFrom('mails')
      .select(['id', 'tenant_id', 'kind'])
      .where((eb) => eb(eb.fn('lower', ['to_address']), '=', 'dana@example.com'))
      .orderBy('position', 'desc')
      .execute();
    const ofAddress = stored.filter(({ tenant_id }) => tenant_id === null);
    expect(ofAddress.map(({ kind }) => kind)).toContain('security');
    for (const id of [tenantId, dana.tenantId]) {
      const rows: { id: string; isOfRecord: boolean }[] = [];
      let after: string | null = null;
      do {
        const query: Record<string, string> = { limit: '2', ...(after !== null && { after }) };
        const page = await get(`/office/tenants/${id}/mails`, clerk, query);
        rows.push(...page.body.rows);
        after = page.body.next;
      } while (after !== null);
      expect(rows.map((row) => [row.id, row.isOfRecord])).toEqual(
        stored
          .filter(({ tenant_id }) => tenant_id === null || tenant_id === id)
          .map((row) => [row.id, row.tenant_id === id]),
      );
    }
    await doVerb(api, clerk, 'rentals/release', {
      ledgerId: dana.ledgerId,
      why: 'paid',
    });
    // Mails of the time before go with the record to its next address.
    await doVerb(api, manager, 'tenants/email', {
      tenantId,
      email: 'noor@example.com',
      why: 'asked',
    });
    const moved = (await get(`/office/tenants/${tenantId}/mails`)).body.rows as object[];
    expect(moved).toMatchObject([
      { to: 'noor@example.com', isOfRecord: true },
      { to: 'Dana@example.com', isOfRecord: true },
      { to: 'Dana@example.com', isOfRecord: true },
    ]);
  });

  // spec 10.70
  test('has its text messages among its mails, the newest first, page by page, and those of no other', async () => {
    const { id: other } = await getRow(api.owner, 'tenants', 'id', { email: 'lee@example.com' });
    const to = '+18175550142';
    for (const tenantId of [dana.tenantId, other])
      await api.ctx.db
        .transaction()
        .execute((trx) =>
          queueText(api.ctx, trx, { tenantId, to, kind: 'welcome', body: () => 'Hello' }),
        );
    await api.sql`UPDATE texts SET state = 'refused', tried_at = ${testClock.now()}`;
    const path = `/office/tenants/${dana.tenantId}/mails`;
    const whole = (await get(path)).body.rows as { id: string; subject: string }[];
    expect(whole[0]).toMatchObject({
      to: '8175550142',
      subject: 'Text: reminders by text are on',
      state: 'refused',
      sentAt: null,
    });
    expect(whole.filter(({ subject }) => subject.startsWith('Text:'))).toHaveLength(1);
    expect(whole.length).toBeGreaterThan(1);
    const paged: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const { body } = await get(`${path}?limit=1${after === '' ? '' : `&after=${after}`}`);
      paged.push(...body.rows.map(({ id }: { id: string }) => id));
      after = body.next as string | null;
    }
    expect(paged).toEqual(whole.map(({ id }) => id));
  });

  test('is shown as its tenant sees it, audited with each gate code', async () => {
    const { token, prefix } = await signIn(api, 'dana@example.com');
    const own = await api.call('GET', `${prefix}/tenants/${dana.tenantId}/overview`, { token });
    const shown = await get(`/office/tenants/${dana.tenantId}/portal`);
    expect(shown.status).toBe(200);
    // Staff opened one record; the sign-in's others have pages of their own.
    const { others, ...record } = own.body as Record<string, unknown>;
    expect(others).toBeDefined();
    expect(shown.body).toEqual(record);
    const rows = await api.sql<{ kinds: string[] }>`
      SELECT array_agg(kind ORDER BY id) AS kinds FROM (
        SELECT id, kind FROM audit_events ORDER BY id DESC LIMIT 3) e`;
    expect(rows[0]!.kinds).toContain('staff_action');
    expect(rows[0]!.kinds).toContain('gate_code_shown');
  });

  test('has notes of staff, added once, removed and restored', async () => {
    const key = randomUUID();
    const add = (text: string) => post(`/office/tenants/${dana.tenantId}/notes`, { key, text });
    expect((await add('Call after 5 pm.')).body).toMatchObject({ id: key, by: 'Ana Flores' });
    expect((await add('Call after 5 pm.')).status).toBe(200);
    expect((await add('Something else')).status).toBe(422);
    const notes = async () =>
      (await get(`/office/tenants/${dana.tenantId}`)).body.notes as object[];
    expect(await notes()).toHaveLength(1);
    expect((await post(`/office/notes/${key}`, { isRemoved: true })).body.isRemoved).toBe(true);
    expect(await notes()).toEqual([]);
    await post(`/office/notes/${key}`, { isRemoved: false });
    expect(await notes()).toHaveLength(1);
    const { token, prefix } = await signIn(api, 'dana@example.com');
    const own = await api.call('GET', `${prefix}/tenants/${dana.tenantId}/overview`, { token });
    expect(own.text).not.toContain('Call after 5 pm.');
  });

  test('has notes that a clerk removes and restores only where they are the clerk’s own, which is recorded', async () => {
    const other = await signInStaff(api, { email: await onlyAt('TXDFW03') });
    const add = async (as: string) => {
      const note = { key: randomUUID(), text: 'Do not let in: police matter 7.' };
      expect((await post(`/office/tenants/${dana.tenantId}/notes`, note, as)).status).toBe(200);
      return note.key;
    };
    const statusOf = async (id: string, as: string, isRemoved = true) =>
      (await post(`/office/notes/${id}`, { isRemoved }, as)).status;
    const shown = async (id: string, as: string) => {
      const file = await get(`/office/tenants/${dana.tenantId}`, as);
      return (file.body.notes as { id: string }[]).find((note) => note.id === id);
    };
    const [clerks, managers, owners] = [await add(clerk), await add(manager), await add(owner)];
    for (const id of [managers, owners]) {
      expect(await statusOf(id, clerk)).toBe(403);
      expect(await shown(id, clerk)).toMatchObject({ mayRemove: false });
    }
    expect(await statusOf(clerks, other)).toBe(403);
    expect(await statusOf(owners, manager)).toBe(403);
    expect(await shown(clerks, other)).toMatchObject({ mayRemove: false });

    expect(await shown(clerks, manager)).toMatchObject({ mayRemove: true });
    expect(await statusOf(clerks, clerk)).toBe(200);
    const { kind, details, staff_id } = await lastEvent();
    expect([kind, (details as Record<string, string>)['verb']]).toEqual([
      'staff_action',
      'notes.remove',
    ]);
    expect(staff_id).not.toBeNull();
    expect(await statusOf(managers, owner)).toBe(200);
    expect(await statusOf(managers, clerk, false)).toBe(403);
    expect(await statusOf(managers, manager, false)).toBe(200);
    expect((await lastEvent()).details).toMatchObject({ verb: 'notes.restore' });

    // What a manager removed, its own writer restores as a manager only.
    expect(await statusOf(clerks, clerk, false)).toBe(200);
    expect(await statusOf(clerks, manager)).toBe(200);
    expect(await statusOf(clerks, clerk)).toBe(403);
    expect(await statusOf(clerks, clerk, false)).toBe(403);
    expect(await statusOf(clerks, manager, false)).toBe(200);
    expect(await statusOf(clerks, clerk)).toBe(200);

    // Also where the manager removes it while the writer's call is under way.
    const { id: by } = await getRow(api.owner, 'staff_members', ['id'], { name: 'Marcus Webb' });
    const { late } = await api.ctx.db.transaction().execute(async (trx) => {
      const removal = { removed_at: testClock.now(), removed_by: by };
      await changeRows(trx, 'tenant_notes', removal, { id: clerks });
      const called = statusOf(clerks, clerk, false);
      await untilLockWait(api.owner);
      return { late: called };
    });
    expect(await late).toBe(403);
    expect(await shown(clerks, manager)).toBeUndefined();

    // One from before its member was kept is a manager's.
    await changeRows(api.owner, 'tenant_notes', { staff_id: null, by_role: null }, { id: clerks });
    expect(await statusOf(clerks, clerk, false)).toBe(403);
    expect(await statusOf(clerks, manager, false)).toBe(200);
  });

  test('of another facility is missing for a clerk, in every call and byte for byte', async () => {
    const other = await sql<{ receipt: string }>`
      SELECT receipt_number AS receipt FROM payments WHERE ledger_id = ${maria.ledgerId} LIMIT 1`.execute(
      api.owner,
    );
    const paths = (id: string, receipt: string) => [
      `/office/tenants/${id}`,
      `/office/tenants/${id}/books`,
      `/office/tenants/${id}/mails`,
      `/office/tenants/${id}/portal`,
      `/office/receipts/${receipt}`,
    ];
    const foreign = paths(maria.tenantId, other.rows[0]?.receipt ?? '1');
    const missing = paths(randomUUID(), '999999999');
    for (const [place, path] of foreign.entries()) {
      const [one, two] = [await get(path), await get(missing[place]!)];
      expect([one.status, two.status]).toEqual([404, 404]);
      expect(one.text.replaceAll(maria.tenantId, 'ID')).toBe(
        two.text.replaceAll(missing[place]!.split('/')[3]!, 'ID'),
      );
      if (other.rows[0] !== undefined || place < 4)
        expect((await get(path, owner)).status).toBe(200);
    }
    const note = { key: randomUUID(), text: 'x' };
    expect((await post(`/office/tenants/${maria.tenantId}/notes`, note)).status).toBe(404);
    await post(`/office/tenants/${maria.tenantId}/notes`, note, owner);
    expect((await post(`/office/notes/${note.key}`, { isRemoved: true })).status).toBe(404);
  });
});

test('no card number is kept that staff type into a note, a late notice’s text or a reply', async () => {
  const text = 'Pays by 4242 4242 4242 4242 from now on';
  const facility = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  const answers = [
    await post(`/office/tenants/${dana.tenantId}/notes`, { key: randomUUID(), text }),
    await post(
      `/office/facilities/${facility.id}/late-templates`,
      { key: randomUUID(), name: 'Mine', subject: 'Late', text },
      manager,
    ),
  ];
  for (const { status, body } of answers)
    expect([status, body.message]).toEqual([
      422,
      'What was given holds what looks like a card number, which is never taken.',
    ]);
});

describe('a verb', () => {
  const call = (rest: object = {}) => ({
    key: randomUUID(),
    why: 'test',
    isPreview: false,
    ...rest,
  });
  const record = (rest: object = {}) =>
    call({ ledgerIds: [dana.ledgerId], type: 'cash', amount: 10, ...rest });

  test('previews, is done once under its key, names the signed-in member, and keeps the books sound', async () => {
    const preview = await doVerb(api, clerk, 'payments/record', record({ isPreview: true }));
    expect(preview.status).toBe(200);
    const body = record({ by: 'Somebody else' });
    const [one, two] = await Promise.all([
      doVerb(api, clerk, 'payments/record', body),
      doVerb(api, clerk, 'payments/record', body),
    ]);
    expect(one.body).toEqual(two.body);
    expect(one.body.ledgers).toEqual(preview.body.ledgers);
    const paper = await get(`/office/receipts/${one.body.receiptNumber}`);
    expect(paper.body).toMatchObject({ contentType: 'application/pdf' });
    const rows = await api.sql<{ by: string; count: number }>`
      SELECT min(by_name) AS by, count(*)::int AS count FROM staff_actions WHERE key = ${body.key}`;
    expect(rows).toEqual([{ by: 'Ana Flores', count: 1 }]);
    await expectSoundBooks(api.owner);
  });

  test('mails a receipt again, to the address on record whatever the body says, and once a key', async () => {
    const paid = await doVerb(api, clerk, 'payments/record', record());
    const { receiptNumber } = paid.body;
    const mails = () => mailsTo(api, 'dana@example.com');
    const before = await mails();
    const body = call({ receiptNumber, why: '', to: 'x@example.com', email: 'x@example.com' });
    const preview = await doVerb(api, clerk, 'payments/mail-receipt', { ...body, isPreview: true });
    expect(await mails()).toHaveLength(before.length);
    const [one, two] = await Promise.all([
      doVerb(api, clerk, 'payments/mail-receipt', body),
      doVerb(api, clerk, 'payments/mail-receipt', body),
    ]);
    expect([one.status, one.body]).toEqual([200, preview.body]);
    expect(two.body).toEqual(one.body);
    expect(one.body).toEqual({
      receiptNumber,
      to: 'dana@example.com',
      receipts: [{ unitName: 'A101', amount: 10, receiptNumber }],
    });
    const after = await mails();
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({ subject: `Receipt ${receiptNumber} for unit A101` });
    expect(after.at(-1)!.text).not.toContain('later');
    expect(await lastEvent()).toMatchObject({
      ledger_id: dana.ledgerId,
      details: { verb: 'payments.mailReceipt', by: 'Ana Flores', mailedTo: 'dana@example.com' },
    });
  });

  test('says in a receipt that is mailed again what was taken back of the payment', async () => {
    const { receiptNumber } = (await doVerb(api, clerk, 'payments/record', record())).body;
    const refund = call({ receiptNumber, amount: 4, way: 'cash' });
    expect((await doVerb(api, manager, 'payments/refund', refund)).status).toBe(200);
    await doVerb(api, clerk, 'payments/mail-receipt', call({ receiptNumber }));
    const [mail] = (await mailsTo(api, 'dana@example.com')).slice(-1);
    expect(mail!.text).toContain(
      'Of this payment $4.00 was refunded or taken back later; see the receipt.',
    );
    await expectSoundBooks(api.owner);
  });

  test('mails no receipt to a record whose address is none', async () => {
    const { receiptNumber } = (await doVerb(api, clerk, 'payments/record', record())).body;
    const setEmail = (email: string) =>
      changeRows(api.owner, 'tenants', { email }, { id: dana.tenantId });
    await setEmail('unknown');
    const answer = await doVerb(api, clerk, 'payments/mail-receipt', call({ receiptNumber }));
    await setEmail('dana@example.com');
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The address on file is no mail address.',
    ]);
  });

  test('that moves money needs a reason, also for its preview', async () => {
    for (const isPreview of [true, false]) {
      const answer = await doVerb(api, clerk, 'payments/record', record({ why: '', isPreview }));
      expect([answer.status, answer.body.message]).toEqual([422, 'Give the reason (why).']);
    }
  });

  test('of another facility’s rental, charge, receipt or alarm finds nothing', async () => {
    const rows = await api.sql<{ chargeId: string; receipt: string | null }>`
      SELECT (SELECT entry_id FROM charges WHERE ledger_id = ${maria.ledgerId} LIMIT 1) AS "chargeId",
        (SELECT receipt_number FROM payments WHERE ledger_id = ${maria.ledgerId} LIMIT 1) AS receipt`;
    const { chargeId, receipt } = rows[0]!;
    const bodies: [string, object][] = [
      ['payments/record', record({ ledgerIds: [maria.ledgerId] })],
      ['payments/refund', call({ receiptNumber: receipt ?? 'none' })],
      ['payments/reverse', call({ receiptNumber: receipt ?? 'none', reason: 'mistake' })],
      ['payments/mail-receipt', call({ receiptNumber: receipt ?? 'none' })],
      [
        'charges/add',
        call({ ledgerId: maria.ledgerId, category: 'fee', description: 'x', amount: 1 }),
      ],
      ['charges/waive', call({ chargeId })],
      ['credits/add', call({ ledgerId: maria.ledgerId, amount: 1, description: 'x' })],
      ['rentals/overlock', call({ ledgerId: maria.ledgerId })],
      ['rentals/change-code', call({ ledgerId: maria.ledgerId })],
      ['rentals/move-out', call({ ledgerId: maria.ledgerId, on: '2030-01-01' })],
      ['rentals/rate', call({ ledgerId: maria.ledgerId, amount: 100, on: '2030-01-01' })],
      ['rentals/transfer', call({ ledgerId: maria.ledgerId, unit: 'B1', on: '2030-01-01' })],
      ['rentals/quote', call({ tenantId: maria.tenantId, unit: 'A1', on: '2030-01-01' })],
      ['autopay/stop', call({ ledgerId: maria.ledgerId })],
      ['tenants/email', call({ tenantId: maria.tenantId, email: 'x@example.com' })],
      ['alarms/close', call({ alarmId: randomUUID() })],
    ];
    const before = await findRows(api.owner, 'staff_actions', 'key');
    for (const [verb, body] of bodies)
      expect([verb, (await doVerb(api, manager, verb, body)).status]).toEqual([verb, 404]);
    expect(await findRows(api.owner, 'staff_actions', 'key')).toHaveLength(before.length);
  });

  test('makes a tenant record at the facility that is named, one of the member’s', async () => {
    const person = {
      firstName: 'Ned',
      lastName: 'Stark',
      email: 'ned@example.com',
      phone: '8175550199',
      street1: '1 Main',
      city: 'Azle',
      region: 'TX',
      postalCode: '76020',
    };
    const add = (rest: object) => doVerb(api, clerk, 'tenants/add', call({ ...person, ...rest }));
    expect((await add({})).status).toBe(422);
    expect((await add({ locationCode: 'AZPHX01' })).status).toBe(404);
    const made = await add({ locationCode: 'TXDFW03A' });
    expect((await get(`/office/tenants/${made.body.tenantId}`)).body.locationCode).toBe('TXDFW03A');
  });

  test('of a manager is not a clerk’s, nor is the rent of a transfer', async () => {
    const ledgerId = dana.ledgerId;
    const waive = await doVerb(api, clerk, 'charges/waive', call({ chargeId: randomUUID() }));
    expect([waive.status, waive.body.message]).toEqual([
      403,
      'Your role, clerk, may not do this; a manager may.',
    ]);
    const move = call({ ledgerId, unit: 'NONE', on: '2030-01-01', rate: 5 });
    expect((await doVerb(api, clerk, 'rentals/transfer', move)).status).toBe(403);
    expect((await doVerb(api, manager, 'rentals/transfer', move)).status).not.toBe(403);
  });
});

test('a tenant’s page is read with one connection, so that many at once cannot wait for each other', async () => {
  const rows = await api.sql<{ name: string }>`SELECT current_database() AS name`;
  const db = openDatabase(databaseUrl(inject('clusterUrl'), rows[0]!.name), () => {}, {
    connections: 1,
    limits: { ...TIME_LIMITS, answerMs: 120_000 },
  });
  const staff: StaffMember = {
    staffId: randomUUID(),
    tokenHash: Buffer.alloc(32),
    name: 'Kim Ode',
    email: 'kim@x.example',
    role: 'owner',
    isForAll: true,
    facilities: [],
    isAll: true,
    hasSecondStep: true,
    mustEnrol: false,
    begunAt: testClock.now(),
  };
  const ctx = { ...api.ctx, db };
  const origin = { ip: '', requestId: randomUUID() };
  try {
    expect((await readTenantFile(ctx, ctx, staff, dana.tenantId, origin)).id).toBe(dana.tenantId);
  } finally {
    await db.destroy();
  }
});
