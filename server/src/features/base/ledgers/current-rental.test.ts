import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { beforeAll, describe, expect, test } from 'vitest';
import { isCurrentOn } from '#db/current-rental.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { card } from '#test/card.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows } from '#test/rows.ts';

type Rental = { ledgerId: string; unitId: string; tenantId: string };

let now = testClock.now();
const clock = { now: () => now };
const api = useTestApp('demo_template', { clock });
let dana: SignedIn;
let rental: Rental;

beforeAll(async () => {
  rental = await api.owner
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('tenants', 'tenants.id', 'ledgers.tenant_id')
    .select(['ledgers.id as ledgerId', 'units.id as unitId', 'tenants.id as tenantId'])
    .where('units.name', '=', 'A101')
    .executeTakeFirstOrThrow();
});

/**
 * Stands at an hour of a day in the facility's zone, which is six hours behind UTC in winter, and
 * signs in there.
 */
async function standAt(day: string, utcHour: number): Promise<void> {
  now = new Date(`${day}T${String(utcHour).padStart(2, '0')}:30:00Z`);
  dana = await signIn(api, 'dana@example.com');
}

const moveOut = (day: string | null) =>
  changeRows(api.owner, 'ledgers', { moved_out_on: day }, { id: rental.ledgerId });

/** Where the rental is there for its tenant, by what was asked. */
async function seen(): Promise<Record<string, boolean>> {
  const { prefix, token } = dana;
  const { ledgerId, unitId, tenantId } = rental;
  const get = (path: string) => api.call('GET', `${prefix}${path}`, { token });
  const listed = async (path: string, field: string, id: string) =>
    ((await get(path)).body as Record<string, string>[]).some((row) => row[field] === id);
  const taken = async (path: string, body: object) =>
    (await api.call('POST', `${prefix}${path}`, { token, body })).status === 200;
  return {
    ledger: await listed(`/tenants/${tenantId}/ledgers`, 'id', ledgerId),
    charges: (await get(`/tenants/${tenantId}/charges?ledgerId=${ledgerId}`)).status === 200,
    autopay: await listed(`/tenants/${tenantId}/autopays`, 'ledgerId', ledgerId),
    insurance: await listed('/insurance-statuses', 'ledgerId', ledgerId),
    gate: await listed('/gate-access', 'unitId', unitId),
    unitGate: (await get(`/units/${unitId}/gate-access`)).status === 200,
    payment: await taken(`/tenants/${tenantId}/payments`, {
      payments: [{ ledgerId, unitId, amount: 1 }],
      creditCard: card,
    }),
    vehicle: await taken(`/ledgers/${ledgerId}/vehicles`, {
      licensePlate: '123ABC',
      description: 'A trailer',
      type: 'vehicle',
      contents: '1HGCM82633A004352',
    }),
    contents: await taken(`/ledgers/${ledgerId}/unit-contents`, {
      contents: 'vehicle:1HGCM82633A004352',
    }),
  };
}

const all = (there: boolean) => ({
  ledger: there,
  charges: there,
  autopay: there,
  insurance: there,
  gate: there,
  unitGate: there,
  payment: there,
  vehicle: there,
  contents: there,
});

describe('a rental whose move-out lies ahead', () => {
  const today = calendarDateIn('America/Chicago', testClock.now());

  test('is there with its charges, gate access, payments and autopay', async () => {
    await standAt(today, 18);
    await moveOut(addDays(today, 10));
    expect(await seen()).toEqual(all(true));
  });

  test('is there until the day begins where the facility is, and then no more', async () => {
    await moveOut(addDays(today, 10));
    // Half past five UTC is still the day before in Texas.
    await standAt(addDays(today, 10), 4);
    expect(await seen()).toEqual(all(true));
    await standAt(addDays(today, 10), 7);
    expect(await seen()).toEqual(all(false));
    await moveOut(null);
    expect(await seen()).toEqual(all(true));
  });
});

test('the first day that is not rented is the move-out', () => {
  expect(isCurrentOn(null, '2026-11-22')).toBe(true);
  expect(isCurrentOn('2026-11-23', '2026-11-22')).toBe(true);
  expect(isCurrentOn('2026-11-22', '2026-11-22')).toBe(false);
});

describe('two rentals of one unit', () => {
  const rent = async (moved_in_on: string, moved_out_on: string | null = null) => {
    const row = await api.owner
      .selectFrom('ledgers')
      .selectAll()
      .where('id', '=', rental.ledgerId)
      .executeTakeFirstOrThrow();
    const { id } = await api.owner
      .insertInto('ledgers')
      .values({
        ...row,
        id: undefined,
        moved_in_on,
        moved_out_on,
        paid_through: addDays(moved_in_on, -1),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const code = (work: Promise<unknown>) =>
    work.then(
      () => 'written',
      (error: unknown) => (error as { code?: string }).code,
    );

  test('never overlap: the next may begin on the day of the move-out and not before', async () => {
    await moveOut('2026-12-02');
    expect(await code(rent('2026-12-01'))).toBe('23P01');
    expect(await code(rent('2026-11-01', '2026-11-30'))).toBe('23P01');
    const next = await rent('2026-12-02');
    expect(await code(moveOut(null))).toMatch(/^23/);
    expect(await code(moveOut('2026-12-03'))).toBe('23P01');
    await api.owner.deleteFrom('ledgers').where('id', '=', next).execute();
    await moveOut(null);
  });

  test('are not both made by two who write at once', async () => {
    await moveOut('2026-12-02');
    const tries = await Promise.all([
      code(rent('2026-12-02', '2026-12-20')),
      code(rent('2026-12-10', '2026-12-30')),
    ]);
    expect(tries.toSorted()).toEqual(['23P01', 'written']);
    await api.owner.deleteFrom('ledgers').where('moved_in_on', '>=', '2026-12-02').execute();
    await moveOut(null);
  });

  test('that overlapped before are left alone until one of them is made longer', async () => {
    await api.sql`ALTER TABLE ledgers DISABLE TRIGGER USER`;
    const earlier = await rent('2026-11-01', '2026-11-20');
    await api.sql`ALTER TABLE ledgers ENABLE TRIGGER USER`;
    const end = (day: string) =>
      changeRows(api.owner, 'ledgers', { moved_out_on: day }, { id: earlier });
    expect(await code(end('2026-11-19'))).toBe('written');
    await moveOut('2026-12-02');
    const next = await rent('2026-12-02');
    expect(await code(end('2026-12-05'))).toBe('23P01');
    await api.owner.deleteFrom('ledgers').where('id', 'in', [earlier, next]).execute();
    await moveOut(null);
  });
});
