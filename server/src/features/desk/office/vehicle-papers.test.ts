import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { TenantFile } from '@gatehouse/contract/office/tenants';
import type { Today } from '@gatehouse/contract/office/today';
import type { ExpiringPaper } from '@gatehouse/contract/office/vehicle-papers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeVehiclePaper } from '#seeds/builders.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('demo_template');
let clerk: string;
let owner: string;
let dana: SignedIn;
let today: string;
/** Rentals of Dana at TXDFW03 and of Maria at AZPHX01. */
let danas: string;
let marias: string;
beforeAll(async () => {
  clerk = await signInStaff(api, 'clerk');
  owner = await signInStaff(api, 'owner');
  dana = await signIn(api, 'dana@example.com');
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  danas = await rentalOf('dana@example.com', 'A101');
  marias = await rentalOf('maria@example.com');
});
beforeEach(async () => {
  await api.owner.deleteFrom('vehicle_papers').execute();
});

async function rentalOf(email: string, unitName?: string): Promise<string> {
  const { id } = await api.owner
    .selectFrom('ledgers as l')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select('l.id')
    .where('t.email', '=', email)
    .$if(unitName !== undefined, (query) => query.where('u.name', '=', unitName!))
    .executeTakeFirstOrThrow();
  return id;
}

const make = (ledger_id: string, days: number, more: object = {}) =>
  makeVehiclePaper(api.owner, api.ctx.vault, {
    ledger_id,
    expires_on: addDays(today, days),
    created_at: api.ctx.clock.now(),
    ...more,
  });
const get = (path: string, as = clerk, query?: Record<string, string>) =>
  callOffice(api, 'GET', path, { as, ...(query && { query }) });
const list = async (as = clerk, query?: Record<string, string>) =>
  (await get('/office/vehicle-papers', as, query)).body as {
    rows: ExpiringPaper[];
    next: string | null;
  };
const fileOf = (ledgerId: string, as = clerk, kind = 'registration') =>
  get(`/office/ledgers/${ledgerId}/vehicle-papers/${kind}`, as);

describe('papers that expire', () => {
  test('are listed by their last day with tenant, unit and facility, and never with the number', async () => {
    await make(danas, 61);
    await make(danas, 60, { kind: 'insurance' });
    await make(danas, 5, { replaced_at: testClock.now() });
    const other = await rentalOf('dana@example.com', 'B207');
    await make(other, -3, { number: 'QQ-5521-ZULU' });
    const { status, body, text } = await get('/office/vehicle-papers');
    expect(status).toBe(200);
    expect(body.rows).toEqual([
      {
        id: expect.any(String),
        ledgerId: other,
        tenantId: dana.tenantIds[0],
        tenantName: 'Dana Reyes',
        locationCode: 'TXDFW03',
        unitName: 'B207',
        vehicleId: null,
        vehicle: '2014 Four Winns H200',
        kind: 'registration',
        expiresOn: addDays(today, -3),
        isExpired: true,
        fileType: 'application/pdf',
      },
      expect.objectContaining({ ledgerId: danas, kind: 'insurance', isExpired: false }),
    ]);
    expect(text).not.toContain('ZULU');
  });

  test('are those of the member’s facilities only, page by page', async () => {
    await make(danas, 10);
    await make(danas, 20, { kind: 'insurance' });
    await make(marias, 15);
    expect((await list()).rows.map(({ ledgerId }) => ledgerId)).toEqual([danas, danas]);
    const first = await list(owner, { limit: '2' });
    const second = await list(owner, { limit: '2', after: first.next! });
    expect([...first.rows, ...second.rows].map(({ ledgerId }) => ledgerId)).toEqual([
      danas,
      marias,
      danas,
    ]);
    expect(second.next).toBeNull();
    expect((await get('/office/vehicle-papers', owner, { after: 'e30' })).status).toBe(422);
  });

  test('are on Today within 30 days before and after their last day', async () => {
    await make(danas, 31);
    await make(danas, 30, { kind: 'insurance' });
    await make(marias, 1);
    const papersOf = async (as: string) =>
      ((await get('/office/today', as)).body as Today).papers.rows.map(({ unitName, kind, on }) => [
        unitName,
        kind,
        on,
      ]);
    expect(await papersOf(clerk)).toEqual([['A101', 'insurance', addDays(today, 30)]]);
    expect(await papersOf(owner)).toHaveLength(2);
  });

  test('are not those of a rental that has ended', async () => {
    await make(danas, 10);
    const rental = api.owner.updateTable('ledgers').where('id', '=', danas);
    await rental.set({ moved_out_on: today }).execute();
    expect((await list()).rows).toEqual([]);
    expect(((await get('/office/today')).body as Today).papers.count).toBe(0);
    await rental.set({ moved_out_on: null }).execute();
  });
});

describe('the file of a paper', () => {
  const file = async () => {
    const { status } = await api.call(
      'POST',
      `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers/${danas}/vehicle-papers`,
      {
        token: dana.token,
        body: {
          kind: 'registration',
          number: 'TX-1',
          expiresOn: addDays(today, 20),
          fileData: `data:application/pdf;base64,${Buffer.from('%PDF-1.7\n').toString('base64')}`,
        },
      },
    );
    expect(status).toBe(200);
  };

  // spec 10.22
  test('is what the tenant filed, in a sandbox, and who opened it is in the audit trail', async () => {
    await file();
    const { body, headers } = await fileOf(danas);
    expect(body).toEqual({
      fileName: 'registration-A101.pdf',
      contentType: 'application/pdf',
      data: Buffer.from('%PDF-1.7\n').toString('base64'),
    });
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const events = await findRows(
      api.owner,
      'audit_events',
      ['ledger_id', 'tenant_id', 'details'],
      { kind: 'vehicle_paper_shown' },
    );
    expect(events).toMatchObject([
      {
        ledger_id: danas,
        tenant_id: dana.tenantIds[0],
        details: { by: 'Ana Flores', paper: 'registration' },
      },
    ]);
  });

  test('is none of another facility, of another kind, or replaced: 404, and no event', async () => {
    await file();
    await make(marias, 20);
    const events = () =>
      findRows(api.owner, 'audit_events', 'kind', { kind: 'vehicle_paper_shown' });
    const before = await events();
    for (const { status, body } of [
      await fileOf(marias),
      await fileOf(danas, clerk, 'insurance'),
      await fileOf(danas, clerk, 'title'),
    ])
      expect([status, body]).toEqual([404, { message: 'Not found.' }]);
    await changeRows(api.owner, 'vehicle_papers', { replaced_at: testClock.now() });
    expect((await fileOf(danas)).status).toBe(404);
    expect(await events()).toEqual(before);
  });
});

// spec 10.94
test('a further vehicle is named with its papers, in the list, on the tenant’s page and by its own file', async () => {
  const b207 = await rentalOf('dana@example.com', 'B207');
  const { id: vehicle_id } = await api.owner
    .insertInto('further_vehicles')
    .values({
      ledger_id: b207,
      contents: 'vehicle:1',
      license_plate: '77 TRL',
      description: 'Trailer',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const paper = await make(b207, 20, { vehicle_id });
  expect((await list()).rows).toMatchObject([
    { id: paper, vehicleId: vehicle_id, vehicle: 'Trailer', unitName: 'B207' },
  ]);
  const { vehicles } = (await get(`/office/tenants/${dana.tenantIds[0]}`)).body as TenantFile;
  const of = { ledgerId: b207, papers: [] };
  expect(vehicles.filter(({ ledgerId }) => ledgerId === b207)).toEqual([
    { ...of, vehicleId: null, licensePlate: 'TX - 4471KB', description: '2014 Four Winns H200' },
    {
      ...of,
      vehicleId: vehicle_id,
      licensePlate: '77 TRL',
      description: 'Trailer',
      papers: [{ kind: 'registration', expiresOn: addDays(today, 20) }],
    },
  ]);
  expect((await fileOf(b207)).status).toBe(404);
  const path = `/office/ledgers/${b207}/vehicle-papers/registration`;
  // Its file is not in the store: it is asked for there.
  expect((await get(path, clerk, { vehicleId: vehicle_id })).status).not.toBe(404);
  expect((await get(path, clerk, { vehicleId: randomUUID() })).status).toBe(404);
  expect(
    (await get('/office/tenants', clerk, { q: '77TRL' })).body.rows.map(
      ({ id }: { id: string }) => id,
    ),
  ).toEqual([dana.tenantIds[0]]);
  await api.owner.deleteFrom('vehicle_papers').execute();
  await api.owner.deleteFrom('further_vehicles').execute();
});
