import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { auditActions, auditKinds } from '@gatehouse/contract/office/audit-actions';
import type { Today } from '@gatehouse/contract/office/today';
import { type getUnit, unitStates } from '@gatehouse/contract/office/units';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { chainAuditEvents } from '#features/base/audit/chain.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { post as bookPosting } from '#features/base/ledgers/books.ts';
import { getPostedPayment } from '#features/base/ledgers/postings.fixture.ts';
import { lockBooks, postLocked } from '#features/base/ledgers/postings.ts';
import { makeLedger, makeTenant, postCharges } from '#seeds/builders.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { readMails } from '#test/mails.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { applyScheduledSettings } from './settings.ts';
import { addRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let clerk: string;
let manager: string;
let owner: string;
let facilityId: string;
let today: string;
beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  manager = await signInStaff(api, 'manager');
  owner = await signInStaff(api, 'owner');
  facilityId = await facilityIdOf('TXDFW03');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
});

const facilityIdOf = async (code: string) =>
  (await getRow(api.owner, 'facilities', 'id', { location_code: code })).id;
const get = (path: string, as = manager, query?: Record<string, string>) =>
  callOffice(api, 'GET', path, { as, ...(query && { query }) });
const post = (path: string, body: object, as = manager) =>
  callOffice(api, 'POST', path, { as, body });
const one = async <Row>(text: ReturnType<typeof sql<Row>>) =>
  (await text.execute(api.owner)).rows[0]!;
type Row = Record<string, unknown>;

/** All rows of a list, page by page, each of which is asked for once. */
async function pages(path: string, query: Record<string, string>, as = manager): Promise<Row[]> {
  const seen: Row[] = [];
  let after: string | null = null;
  do {
    const { status, body } = await get(path, as, { ...query, ...(after !== null && { after }) });
    expect(status).toBe(200);
    seen.push(...(body.rows as Row[]));
    after = body.next as string | null;
  } while (after !== null);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  return seen;
}

describe('units', () => {
  test('are listed in every sort, each once, and say whether they can be let', async () => {
    const count = await one(sql<{ units: number; rented: number }>`
      SELECT count(*)::int AS units, count(*) FILTER (WHERE EXISTS (
        SELECT FROM unit_days d WHERE d.unit_id = u.id AND d.days @> ${today}::date))::int AS rented
      FROM units u JOIN facilities f ON f.id = u.facility_id WHERE f.location_code = 'TXDFW03'`);
    for (const sort of ['name', 'vacantFirst', 'size', 'rate'])
      for (const order of ['asc', 'desc']) {
        const rows = await pages('/office/units', {
          sort,
          order,
          limit: '2',
          locationCode: 'TXDFW03',
        });
        expect([sort, order, rows.length]).toEqual([sort, order, count.units]);
        if (sort === 'vacantFirst' && order === 'asc') {
          const placeOf = { vacant: 1, reserved: 2, occupied: 3, locked: 3 };
          const places = rows.map(({ state }) => placeOf[state as keyof typeof placeOf]);
          expect(places).toEqual(places.toSorted());
        }
        const rented = rows.filter(({ state }) => state === 'occupied' || state === 'locked');
        expect(rented.length).toBe(count.rented);
      }
    const all = await pages('/office/units', { limit: '200' });
    for (const state of unitStates) {
      const of = await pages('/office/units', { state, limit: '3' });
      expect(of).toEqual(all.filter((unit) => unit['state'] === state));
    }
    const locked = await pages('/office/units', { state: 'locked' });
    expect(locked).toContainEqual(
      expect.objectContaining({ name: 'A101', tenantName: 'Dana Reyes' }),
    );
    const first = await pages('/office/units', { q: 'a10', size: '12x40' });
    expect(first.map(({ name }) => name)).toEqual(['A101']);
  });

  // spec 10.35
  test('that are free from a day on are those that no rental has then or later', async () => {
    const free = async (freeOn: string, as = manager) =>
      (await pages('/office/units', { freeOn, locationCode: 'TXDFW03' }, as)).map(
        ({ name }) => name,
      );
    const vacant = await pages('/office/units', { state: 'vacant', locationCode: 'TXDFW03' });
    expect(await free(today)).toEqual(vacant.map(({ name }) => name));
    const [unit] = await pages('/office/units', { q: 'A101', locationCode: 'TXDFW03' });
    const send = (body: object) =>
      doVerb(api, manager, 'rentals/move-out', {
        ledgerId: unit!['ledgerId'],
        ...body,
        why: 'test',
      });
    const on = addDays(today, 10);
    expect((await send({ on })).status).toBe(200);
    expect(await free(addDays(on, -1))).not.toContain('A101');
    expect(await free(on)).toContain('A101');
    await send({ cancel: true });
    expect(await free(on)).not.toContain('A101');
    expect((await get('/office/units', manager, { freeOn: 'tomorrow' })).status).toBe(422);
  });

  test('have a history', async () => {
    const [unit] = await pages('/office/units', { q: 'A101', locationCode: 'TXDFW03' });
    const { body } = await get(`/office/units/${String(unit!.id)}`, clerk);
    expect(body).toMatchObject({
      name: 'A101',
      history: [{ tenantName: 'Dana Reyes', untilOn: null }],
    });
  });
});

describe('the history of a unit', () => {
  /** Units that are let to one tenant only, in a chain. */
  async function rentedUnits(movedInOn: string, ...names: [string, ...string[]]) {
    const tenant_id = await makeTenant(api.owner, { facility_id: facilityId, first_name: 'Noor' });
    const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id,
      unit: { facility_id: facilityId, name: names[0] },
      moved_in_on: movedInOn,
    });
    const [, ...more] = names;
    for (const name of more)
      await addRows(api.owner, 'units', {
        facility_id: facilityId,
        name,
        width_feet: 9,
        length_feet: 9,
        type_name: 'RV',
      });
    const transfer = async (unit: string, on: string) => {
      const caller = { key: randomUUID(), why: 'Asked for', isPreview: false };
      const answer = await doVerb(api, manager, 'rentals/transfer', {
        ...caller,
        ledgerId,
        unit,
        on,
      });
      expect(answer.status).toBe(200);
    };
    const historyOf = async (name: string) => {
      const [unit] = await pages('/office/units', { q: name, locationCode: 'TXDFW03' });
      const { body } = await get(`/office/units/${String(unit!.id)}`, clerk);
      return (body as Reply<typeof getUnit>).history;
    };
    return { ledgerId, transfer, historyOf };
  }

  test('says who left it by a transfer, from when to when and to which unit, and where the new tenant was before', async () => {
    const { ledgerId, transfer, historyOf } = await rentedUnits('2025-03-14', 'H1', 'H2', 'H3');
    await transfer('H2', today);
    const who = { id: ledgerId, tenantName: 'Noor Reyes' };
    expect(await historyOf('H1')).toMatchObject([
      { ...who, fromOn: '2025-03-14', untilOn: today, movedFrom: null, movedTo: { name: 'H2' } },
    ]);
    expect(await historyOf('H2')).toMatchObject([
      { ...who, fromOn: today, untilOn: null, movedFrom: { name: 'H1' }, movedTo: null },
    ]);
    const later = addDays(today, 10);
    await transfer('H3', later);
    expect(await historyOf('H2')).toMatchObject([
      { fromOn: today, untilOn: later, movedFrom: { name: 'H1' }, movedTo: { name: 'H3' } },
    ]);
    expect(await historyOf('H3')).toMatchObject([
      { ...who, fromOn: later, untilOn: null, movedFrom: { name: 'H2' }, movedTo: null },
    ]);
  });

  test('has a rental that left the unit, came back and left again on its first day', async () => {
    const { transfer, historyOf } = await rentedUnits(today, 'H4', 'H5');
    await transfer('H5', today);
    expect(await historyOf('H4')).toMatchObject([
      { fromOn: today, untilOn: today, movedTo: { name: 'H5' } },
    ]);
    await transfer('H4', today);
    await transfer('H5', today);
    expect(await historyOf('H4')).toMatchObject([
      { fromOn: today, untilOn: today, movedFrom: { name: 'H5' }, movedTo: { name: 'H5' } },
      { fromOn: today, untilOn: today, movedFrom: null, movedTo: { name: 'H5' } },
    ]);
    expect(await historyOf('H5')).toMatchObject([
      { untilOn: null, movedFrom: { name: 'H4' }, movedTo: null },
      { untilOn: today, movedFrom: { name: 'H4' }, movedTo: { name: 'H4' } },
    ]);
  });
});

describe('the list of insurance', () => {
  test('says of each current rental which proof it has until when, or that it has none', async () => {
    const rows = await pages('/office/insurance', { limit: '2' }, owner);
    const current = await one(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ledgers l WHERE is_current_on(l.moved_out_on, ${today}::date)`);
    expect(rows).toHaveLength(current.count);
    const of = (name: string) => rows.find(({ unitName }) => unitName === name);
    expect(of('A101')).toMatchObject({ state: 'none', plan: null, company: null, endsOn: null });
    expect(of('B207')).toMatchObject({ state: 'plan', plan: '$5,000 protection plan' });
    const proof = { company: 'Lone Star Marine Insurance', policyNumber: 'LSM-204417' };
    expect(of('D310')).toMatchObject({ ...proof, coverage: 25_000, plan: null });
    const endOn = (day: string) => api.sql`
      UPDATE private_policies SET ends_on = ${day} WHERE policy_number = 'LSM-204417'`;
    for (const [day, state] of [
      [addDays(today, -1), 'expired'],
      [today, 'ending'],
      [addDays(today, 30), 'ending'],
      [addDays(today, 31), 'proof'],
    ] as const) {
      await endOn(day);
      const found = await pages('/office/insurance', { state }, clerk);
      expect(found).toContainEqual(
        expect.objectContaining({ unitName: 'D310', state, endsOn: day }),
      );
    }
    // A clerk of one facility reads of that only.
    const seen = await pages('/office/insurance', {}, clerk);
    expect(new Set(seen.map(({ locationCode }) => locationCode))).toEqual(new Set(['TXDFW03']));
    expect((await get('/office/insurance', clerk, { locationCode: 'AZPHX01' })).status).toBe(404);
    expect((await get('/office/insurance', clerk, { after: 'e30' })).status).toBe(422);
  });
});

describe('who is late', () => {
  test('agrees with the ledgers that owe something, and with the aging report of today', async () => {
    const rows = await pages('/office/late', { limit: '1' }, owner);
    const owing = await one(sql<{ count: number; cents: number }>`
      SELECT count(*)::int AS count, sum(balance_cents)::bigint AS cents FROM ledgers l WHERE balance_cents > 0
        AND EXISTS (SELECT FROM open_charges c WHERE c.ledger_id = l.id AND c.due_on < ${today}::date)`);
    const cents = rows.reduce((sum, { balance }) => sum + Math.round((balance as number) * 100), 0);
    expect([rows.length, cents]).toEqual([owing.count, owing.cents]);
    const dana = rows.find(
      ({ firstName, unitName }) => firstName === 'Dana' && unitName === 'A101',
    );
    expect(dana).toMatchObject({ daysOwed: 6, bucket: '1-10', owedSince: addDays(today, -6) });
    const { body } = await get('/office/reports/aging', owner);
    expect(Math.round(body.owed * 100)).toBe(cents);
    for (const sort of ['balance', 'name'])
      expect(await pages('/office/late', { sort, limit: '1' }, owner)).toHaveLength(rows.length);
    expect(await pages('/office/late', { bucket: '60+' }, owner)).toEqual(
      rows.filter(({ bucket }) => bucket === '60+'),
    );
    const [first] = rows;
    const setAutopay = async (active: boolean) => {
      const methods = await api.sql<{ id: string }>`
        SELECT id FROM payment_methods ORDER BY id LIMIT 1`;
      await api.sql`
        INSERT INTO autopays (ledger_id, payment_method_id, active, updated_at)
        VALUES (${first!['id']}, ${methods[0]!.id}, ${active}, ${api.ctx.clock.now()})
        ON CONFLICT (ledger_id) DO UPDATE SET active = ${active}`;
    };
    await setAutopay(true);
    for (const sort of ['daysOwed', 'balance', 'name'])
      for (const autopay of ['on', 'off']) {
        const of = await pages('/office/late', { sort, autopay }, owner);
        const all = await pages('/office/late', { sort }, owner);
        expect(of).toEqual(all.filter((rental) => rental['autopay'] === autopay));
        expect(of.some(({ id }) => id === first!['id'])).toBe(autopay === 'on');
      }
    await setAutopay(false);
  });

  test('was not late before it was due, by the report of that day', async () => {
    const before = await get('/office/reports/aging', owner, { asOf: addDays(today, -400) });
    expect(before.body.owed).toBe(0);
  });
});

describe('a request', () => {
  const asked = 'The gate’s keypad does not light up.';
  let requestId: string;
  beforeAll(async () => {
    const { token, prefix } = await signIn(api, 'lee@example.com');
    const { ledgerId } = await one(sql<{ ledgerId: string }>`
      SELECT l.id AS "ledgerId" FROM ledgers l JOIN tenants t ON t.id = l.tenant_id WHERE t.email = 'lee@example.com' LIMIT 1`);
    const body = { ledgerId, issueType: 'gate', issueDescription: asked };
    const sent = await api.call('POST', `${prefix}/maintenance-requests`, { token, body });
    const filed = await one(
      sql<{ id: string }>`SELECT id FROM requests ORDER BY created_at DESC LIMIT 1`,
    );
    expect(sent.status).toBe(200);
    requestId = filed.id;
  });

  test('is on the sheet of its unit, also once its tenant has another one, and on no other', async () => {
    const unitIdOf = async (name: string) =>
      (await pages('/office/units', { q: name, locationCode: 'TXDFW03' }))[0]!['id'] as string;
    const ofUnit = async (unitId: string) =>
      (await pages('/office/requests', { unitId }, clerk)).map(({ id }) => id);
    const unitId = await unitIdOf('E022');
    expect(await ofUnit(unitId)).toEqual([requestId]);
    expect(await ofUnit(await unitIdOf('A101'))).toEqual([]);
    const file = await get(`/office/units/${unitId}`, clerk);
    const tell = { key: randomUUID(), why: 'Asked for', isPreview: false };
    const body = { ...tell, ledgerId: file.body.ledgerId, unit: 'C009', on: today };
    expect((await doVerb(api, manager, 'rentals/transfer', body)).status).toBe(200);
    expect(await ofUnit(unitId)).toEqual([requestId]);
    expect(await ofUnit(await unitIdOf('C009'))).toEqual([]);
  });

  test('is in the inbox, is answered once, and a second clerk reads what the first did', async () => {
    const rows = await pages('/office/requests', { standing: 'open' }, clerk);
    expect(rows).toContainEqual(
      expect.objectContaining({ id: requestId, status: 'new', isAnswered: false }),
    );
    const { body: file } = await get(`/office/requests/${requestId}`, clerk);
    expect(JSON.stringify(file.asked)).toContain(asked);
    const body = { key: randomUUID(), version: file.version, reply: 'On Tuesday.', status: 'done' };
    const answers = await Promise.all([
      post(`/office/requests/${requestId}`, body, clerk),
      post(`/office/requests/${requestId}`, body, clerk),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const other = await post(
      `/office/requests/${requestId}`,
      { ...body, key: randomUUID(), reply: 'On Friday.' },
      manager,
    );
    expect([other.status, other.body.message]).toEqual([
      409,
      'Somebody else changed this request meanwhile. Please look at it and send your reply again.',
    ]);
    const { body: after } = await get(`/office/requests/${requestId}`);
    expect(after.events).toMatchObject([
      { kind: 'created' },
      { kind: 'replied', text: 'On Tuesday.', via: 'office', author: 'Ana Flores' },
      { kind: 'status_changed', status: 'done' },
    ]);
    const mails = (await readMails(api)).filter(({ text }) => text.includes('On Tuesday.'));
    expect(mails).toHaveLength(1);
    expect((await get(`/office/requests/${requestId}/photo`)).status).toBe(404);
  });
});

describe('today', () => {
  test('says what needs a person, with the same figures as the lists', async () => {
    const { body } = await get('/office/today', clerk, { locationCode: 'TXDFW03' });
    const cash = { ledgerIds: [] as string[], type: 'cash', amount: 25 };
    const { id } = await one(sql<{ id: string }>`
      SELECT l.id FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
      WHERE t.email = 'dana@example.com' AND u.name = 'A101'`);
    cash.ledgerIds.push(id);
    const paid = await doVerb(api, clerk, 'payments/record', { ...cash, why: 'at the counter' });
    expect(paid.status).toBe(200);
    const after = (await get('/office/today', clerk, { locationCode: 'TXDFW03' })).body;
    expect(after.sums.taken).toBe((body as Today).sums.taken + 25);
    const { body: deposits } = await get('/office/deposits', clerk, { on: today });
    expect(deposits.facilities[0]).toMatchObject({
      locationCode: 'TXDFW03',
      taken: after.sums.taken,
    });
    const { units, occupied, vacant } = (after as Today).sums;
    const rented = await pages('/office/units', { locationCode: 'TXDFW03' });
    expect([units, occupied + vacant]).toEqual([rented.length, rented.length]);
    expect(occupied).toBe(
      rented.filter(({ state }) => state === 'occupied' || state === 'locked').length,
    );

    const back = await doVerb(api, manager, 'payments/reverse', {
      receiptNumber: paid.body.receiptNumber,
      reason: 'mistake',
      why: 'typed twice',
    });
    expect(back.status).toBe(200);
    await expectSoundBooks(api.owner);
  });

  test('has the alarms of the member’s facilities, which a manager closes with a reason', async () => {
    const raise = async (code: string) =>
      raiseAlarm(api.ctx, api.ctx.db, {
        kind: 'unknown_zone',
        key: `test:${code}`,
        facilityId: await facilityIdOf(code),
        sentence: `A trouble at ${code}.`,
        facts: {},
      });
    await raise('TXDFW03');
    await raise('AZPHX01');
    const { body } = await get('/office/alarms', clerk);
    expect(body.rows).toMatchObject([{ facility: 'TXDFW03', sentence: 'A trouble at TXDFW03.' }]);
    expect((await get('/office/alarms', owner)).body.rows).toHaveLength(2);
    expect((await get('/office/today', clerk)).body.alarms.count).toBe(1);
    const close = (alarmId: string, as: string) =>
      doVerb(api, as, 'alarms/close', { alarmId, why: 'seen' });
    const { id } = body.rows[0] as { id: string };
    const foreign = ((await get('/office/alarms', owner)).body.rows as { id: string }[]).find(
      (row) => row.id !== id,
    )!;
    expect((await close(foreign.id, manager)).status).toBe(404);
    expect((await close(id, manager)).status).toBe(200);
    expect((await get('/office/alarms', clerk, { standing: 'closed' })).body.rows).toMatchObject([
      { id, closed: { by: 'Marcus Webb', why: 'seen' } },
    ]);
  });
});

describe('the reports', () => {
  test('of revenue come to all that was posted, to the cent', async () => {
    const from = addDays(today, -900);
    const { body } = await get('/office/reports/revenue', owner, { from, to: today });
    type Sums = Record<'charged' | 'waived' | 'credited' | 'taken' | 'back', number>;
    const cents = (body.rows as Sums[]).reduce(
      (sum, row) =>
        sum + Math.round((row.charged - row.waived - row.credited - row.taken + row.back) * 100),
      0,
    );
    const posted = await one(sql<{ cents: number }>`
      SELECT sum(amount_cents)::bigint AS cents FROM entries WHERE posted_on BETWEEN ${from}::date AND ${today}::date`);
    expect(cents).toBe(posted.cents);
    const mine = await get('/office/reports/revenue', manager, { from, to: today });
    expect(
      (mine.body.rows as Row[]).every(({ locationCode }) =>
        String(locationCode).startsWith('TXDFW03'),
      ),
    ).toBe(true);
  });

  test('of revenue go by month, with each tax, what is without tax, and their sums', async () => {
    const from = addDays(today, -900);
    const { body } = await get('/office/reports/revenue', owner, { from, to: today });
    type Line = Record<string, number> & { month: string; locationCode: string; kind: string };
    const rows = body.rows as Line[];
    const places = rows.map(({ month, locationCode }) => `${month} ${locationCode}`);
    expect(new Set(rows.map(({ locationCode }) => locationCode)).size).toBeGreaterThan(1);
    expect(places).toEqual(places.toSorted());
    const cents = (dollars: number) => Math.round(dollars * 100);
    for (const sum of ['charged', 'net', 'waived', 'tax1', 'tax2', 'credited', 'taken', 'back'])
      expect([sum, cents(body.totals[sum])]).toEqual([
        sum,
        rows.reduce((all, row) => all + cents(row[sum]!), 0),
      ]);
    const taxes = await one(sql<{ tax1: number; tax2: number; net: number }>`
      SELECT sum(c.tax1_cents)::bigint AS tax1, sum(c.tax2_cents)::bigint AS tax2,
        sum(c.price_cents - c.discount_cents)::bigint AS net
      FROM charges c JOIN entries e ON e.id = c.entry_id WHERE e.posted_on BETWEEN ${from}::date AND ${today}::date`);
    const waived = await one(sql<{ tax1: number; tax2: number }>`
      SELECT coalesce(sum(c.tax1_cents), 0)::bigint AS tax1, coalesce(sum(c.tax2_cents), 0)::bigint AS tax2
      FROM credits c WHERE NOT EXISTS (SELECT FROM reversals r WHERE r.payment_entry_id = c.entry_id)`);
    expect(taxes.tax1).toBeGreaterThan(0);
    expect([body.totals.net, body.totals.tax1, body.totals.tax2].map(cents)).toEqual([
      taxes.net,
      taxes.tax1 - waived.tax1,
      taxes.tax2 - waived.tax2,
    ]);
  });

  test('of revenue count a waiver with its tax also where it was moved to another rental', async () => {
    const { ledgerId } = await one(sql<{ ledgerId: string }>`
      SELECT l.id AS "ledgerId" FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
      WHERE t.email = 'dana@example.com' AND l.balance_cents > 0 LIMIT 1`);
    const taxesBy = async () => {
      const { body } = await get('/office/reports/revenue', manager, { from: today, to: today });
      const rows = body.rows as { kind: string; tax1: number; waived: number }[];
      return ['service', 'credit'].map((kind) => {
        const row = rows.find((found) => found.kind === kind);
        return [row?.tax1 ?? 0, row?.waived ?? 0];
      });
    };
    const before = await taxesBy();
    const due = { dueOn: today, priceCents: 1000, tax1Cents: 80 };
    const [chargeId] = await postCharges(api.owner, ledgerId, [
      { category: 'service', description: 'Battery', ...due },
    ]);
    const waived = await doVerb(api, manager, 'charges/waive', {
      chargeId,
      why: 'never asked for',
    });
    expect(waived.status).toBe(200);
    await api.ctx.db.transaction().execute(async (trx) => {
      const [books] = await lockBooks(trx, [ledgerId]);
      const payment = await getPostedPayment(trx, waived.body.creditId);
      const moved = { kind: 'reversal' as const, id: randomUUID(), payment, cents: 1080 };
      const { posting } = bookPosting(books!, [
        { ...moved, reason: 'moved', description: 'Moved' },
      ]);
      await postLocked(trx, { instant: api.ctx.clock.now(), dayOf: () => today }, [posting]);
    });
    expect(await taxesBy()).toEqual([[before[0]![0], before[0]![1]! + 10.8], before[1]]);
  });

  test('of rents and occupancy agree, today and on an earlier day', async () => {
    for (const asOf of [today, addDays(today, -35)]) {
      const roll = await pages('/office/reports/rent-roll', { asOf, limit: '3' }, owner);
      const { body } = await get('/office/reports/occupancy', owner, { asOf });
      expect(body.occupied).toBe(roll.length);
      const rent = roll.reduce((sum, { rate }) => sum + Math.round((rate as number) * 100), 0);
      expect(Math.round(body.rent * 100)).toBe(rent);
      const owed = await one(sql<{ cents: number }>`
        SELECT coalesce(sum(e.amount_cents), 0)::bigint AS cents FROM entries e
        WHERE e.posted_on <= ${asOf}::date AND e.ledger_id = ANY(${roll.map(({ id }) => id)}::uuid[])`);
      expect(
        roll.reduce((sum, { balance }) => sum + Math.round((balance as number) * 100), 0),
      ).toBe(owed.cents);
    }
  });

  test('of autopay and rents count the current rentals', async () => {
    const place = { locationCode: 'TXDFW03' };
    const to = calendarDateIn('America/Chicago', api.ctx.clock.now());
    const table = (day: string) =>
      get('/office/reports/table', manager, { report: 'autopay', to: day, ...place });
    const { body } = await table(to);
    const rates = await pages('/office/rates', { limit: '2', locationCode: 'TXDFW03' });
    const [[, rentals, byCard, byBank, byHand]] = body.rows as [
      [string, number, number, number, number],
    ];
    expect(rentals).toBe(rates.length);
    expect(byCard + byBank).toBeGreaterThan(0);
    expect(byCard + byBank + byHand).toBe(rentals);
    expect((await table(addDays(to, -1))).body.message).toBe(
      'Autopay is as it is today: name today as its day.',
    );
    expect(await pages('/office/rates', { leastMonths: '999' })).toEqual([]);
  });
});

test('a day of no calendar is refused, also of the year that the database does not have', async () => {
  for (const day of ['0000-01-01', '2026-02-30', 'today', '0']) {
    const answers = await Promise.all([
      get('/office/reports/aging', owner, { asOf: day }),
      get('/office/reports/revenue', owner, { from: day, to: day }),
      get('/office/deposits', owner, { on: day }),
      get('/office/deposits/day', owner, { on: day }),
      get('/office/audit', owner, { from: day }),
    ]);
    expect([day, ...answers.map(({ status }) => status)]).toEqual([day, 422, 422, 422, 422, 422]);
  }
});

describe('the settings of a facility', () => {
  const change = (rest: object, as = manager) =>
    callOffice(api, 'PATCH', `/office/facilities/${facilityId}`, {
      as,
      body: { key: randomUUID(), why: 'new price list', isPreview: false, ...rest },
    });
  const settings = async () =>
    (await get(`/office/facilities/${facilityId}`, clerk)).body.settings as Record<string, unknown>;

  test('are previewed, changed at once under a key, and audited', async () => {
    const before = await settings();
    const lateFee = 33.5;
    const preview = await change({ isPreview: true, changes: { lateFee } });
    expect(preview.body.effects).toEqual([
      expect.stringMatching(/^Late fee: from \$.* to \$33\.50, from now on\.$/),
    ]);
    expect(await settings()).toEqual(before);
    const key = randomUUID();
    expect((await change({ key, changes: { lateFee } })).body.facility.settings.lateFee).toBe(
      lateFee,
    );
    expect((await change({ key, changes: { lateFee } })).status).toBe(200);
    expect((await change({ key, changes: { lateFee: 1 } })).status).toBe(422);
    expect((await change({ changes: { lateFee } })).body.message).toBe('Nothing would change.');
    expect((await change({ changes: { lateFee: 12.345 } })).status).toBe(422);
    expect((await change({ changes: {} })).status).toBe(422);
    expect((await change({ changes: { lateFee: 1 }, on: addDays(today, -1) })).status).toBe(422);
    const { body } = await get('/office/audit', manager, { verb: 'facilities.change' });
    expect(body.rows).toMatchObject([
      {
        by: 'Marcus Webb',
        locationCode: 'TXDFW03',
        details: { settings: 'lateFee 33.5', why: 'new price list' },
      },
    ]);
  });

  test('change on a later day by the facility’s day, unless that is taken back', async () => {
    const on = addDays(today, 10);
    const first = await change({ on, changes: { returnFee: 40 } });
    const second = await change({ on, changes: { deposit: 75 } });
    expect((await settings()).returnFee).not.toBe(40);
    const [kept, taken] = second.body.facility.scheduled as { id: string }[];
    expect(first.body.facility.scheduled).toHaveLength(1);
    const cancel = (id: string) =>
      post(`/office/facilities/${facilityId}/scheduled/${id}`, { why: 'too dear' });
    expect((await cancel(taken!.id)).body.scheduled).toMatchObject([{ id: kept!.id }]);
    expect((await cancel(taken!.id)).status).toBe(404);
    const apply = (date: string) => applyScheduledSettings(api.ctx, { facilityId, date });
    expect(await apply(addDays(on, -1))).toBe(0);
    expect(await apply(on)).toBe(1);
    expect(await apply(on)).toBe(0);
    expect(await settings()).toMatchObject({ returnFee: 40 });
    expect((await settings()).deposit).not.toBe(75);
  });
});

describe('the audit trail', () => {
  test('is searched by person, action, tenant and day, and its chain is checked', async () => {
    await chainAuditEvents(api.ctx);
    const { body } = await post('/office/audit/verify', {}, owner);
    expect(body).toMatchObject({ isSound: true, wrongAt: null });
    expect(body.events).toBeGreaterThan(0);
    const ana = await pages('/office/audit', { by: 'ana f', limit: '2' }, owner);
    expect(ana.length).toBeGreaterThan(0);
    expect(new Set(ana.map(({ by }) => by))).toEqual(new Set(['Ana Flores']));
    const day = api.ctx.clock.now().toISOString().slice(0, 10);
    expect((await pages('/office/audit', { from: day, to: day }, owner)).length).toBeGreaterThan(
      ana.length - 1,
    );
    expect(await pages('/office/audit', { to: addDays(day, -1) }, owner)).toEqual([]);
  });

  // spec 10.39
  test('has words for everything in it, by which it is searched', async () => {
    const events = (await pages('/office/audit', { limit: '200' }, owner)) as {
      kind: string;
      details: { verb?: string };
    }[];
    for (const { kind, details } of events) {
      expect(auditKinds).toHaveProperty([kind]);
      if (details.verb !== undefined) expect(auditActions).toHaveProperty([details.verb]);
    }
    for (const labels of [auditActions, auditKinds])
      expect(new Set(Object.values(labels)).size).toBe(Object.keys(labels).length);
    const verb = events.find(({ kind }) => kind === 'staff_action')!.details.verb!;
    const found = await pages('/office/audit', { verb, kind: 'staff_action' }, owner);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ details }) => (details as { verb: string }).verb))).toEqual(
      new Set([verb]),
    );
  });

  test('shows a manager what is about the own facilities only', async () => {
    const maria = await one(sql<{ tenantId: string }>`
      SELECT id AS "tenantId" FROM tenants WHERE email = 'maria@example.com'`);
    await get(`/office/tenants/${maria.tenantId}`, owner);
    const seen = await pages('/office/audit', {}, manager);
    expect(seen.length).toBeGreaterThan(0);
    for (const { locationCode } of seen) expect(['TXDFW03', 'TXDFW03A']).toContain(locationCode);
    const all = await pages('/office/audit', { tenantId: maria.tenantId }, owner);
    expect(all).toMatchObject([{ by: 'June Park', locationCode: 'AZPHX01' }]);
  });
});
