import type { GateAccess } from '@gatehouse/contract/gate-access';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postCharges } from '#seeds/builders.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows, getRow } from '#test/rows.ts';

type Unit = {
  ledgerId: string;
  unitId: string;
  name: string;
  balance_cents: number;
  moved_out_on: string | null;
};

const api = useTestApp('demo_template');
let dana: SignedIn;
let units: Unit[];
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  units = await api.owner
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .select([
      'ledgers.id as ledgerId',
      'units.id as unitId',
      'units.name',
      'balance_cents',
      'moved_out_on',
    ])
    .execute();
});
afterEach(async () => {
  for (const { name, balance_cents, moved_out_on } of units)
    await change(name, { balance_cents, moved_out_on });
});

const unitOf = (name: string) => units.find((unit) => unit.name === name)!;
const change = (name: string, values: { balance_cents?: number; moved_out_on?: string | null }) =>
  changeRows(api.owner, 'ledgers', values, { id: unitOf(name).ledgerId });
const list = async ({ prefix, token }: SignedIn) =>
  (await api.call('GET', `${prefix}/gate-access`, { token })).body as GateAccess[];
const read = ({ prefix, token }: SignedIn, name: string) =>
  api.call('GET', `${prefix}/units/${unitOf(name).unitId}/gate-access`, { token });

/** The code of a unit as the gate knows it. */
async function codeOf(name: string): Promise<string> {
  const { ledgerId } = unitOf(name);
  const { access_code } = await getRow(api.owner, 'gate_codes', 'access_code', {
    ledger_id: ledgerId,
  });
  return api.ctx.vault.open('gateCode', ledgerId, access_code);
}

describe('the gate access of all units', () => {
  // spec 1.11, 7.19
  test('is of every unit that the caller rents here, with the code where nothing is owed', async () => {
    expect(await list(dana)).toEqual([
      { unitId: unitOf('A101').unitId, timeZone: 'Business Hours' },
      {
        unitId: unitOf('B207').unitId,
        timeZone: 'Business Hours',
        accessCode: await codeOf('B207'),
      },
      { unitId: unitOf('C014').unitId, timeZone: 'Business Hours' },
      {
        unitId: unitOf('D310').unitId,
        timeZone: 'Business Hours',
        accessCode: await codeOf('D310'),
      },
    ]);
    expect(await codeOf('B207')).toMatch(/^\d{4}#$/);
  });

  test('holds no other tenant’s unit', async () => {
    const rents = {
      'dana@example.com': ['A101', 'B207', 'C014', 'D310'],
      'lee@example.com': ['E022'],
      'pat@example.com': ['B115'],
    };
    for (const [email, names] of Object.entries(rents)) {
      const access = await list(await signIn(api, email));
      expect(access.map(({ unitId }) => unitId)).toEqual(names.map((name) => unitOf(name).unitId));
    }
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    expect((await list(maria)).map(({ unitId }) => unitId)).toEqual([unitOf('P118').unitId]);
  });

  test('is empty for a former tenant', async () => {
    expect(unitOf('C009').moved_out_on).not.toBeNull();
    expect(await list(await signIn(api, 'sam@example.com'))).toEqual([]);
  });
});

// spec 7.22
test('the gate schedules are those of time zone ids 0, 1 and 2', async () => {
  const { body } = await api.call('GET', `${dana.prefix}/time-zones`, dana);
  expect(body).toEqual([
    { id: 0, name: 'Business Hours' },
    { id: 1, name: 'Business Hours' },
    { id: 2, name: '24 Hours' },
  ]);
});

describe('a gate code', () => {
  const codes = async (name: string) => {
    const { unitId } = unitOf(name);
    const one = (await read(dana, name)).body as GateAccess;
    return [one.accessCode, (await list(dana)).find((unit) => unit.unitId === unitId)?.accessCode];
  };

  // spec 7.47
  // asvs 8.2.3
  test('is withheld from one cent owed on, and shown again once it is paid', async () => {
    const code = await codeOf('B207');
    expect(await codes('B207')).toEqual([code, code]);
    await change('B207', { balance_cents: 1 });
    expect(await codes('B207')).toEqual([undefined, undefined]);
    expect((await read(dana, 'B207')).text).not.toContain(code);
    await change('B207', { balance_cents: 0 });
    expect(await codes('B207')).toEqual([code, code]);
  });

  // spec 4.66
  test('is shown while less is owed than the gateway can charge', async () => {
    const { gateway } = api.ctx;
    api.ctx.gateway = { ...gateway, leastChargeCents: 50 };
    await change('B207', { balance_cents: 49 });
    const code = await codeOf('B207');
    expect(await codes('B207')).toEqual([code, code]);
    await change('B207', { balance_cents: 50 });
    expect(await codes('B207')).toEqual([undefined, undefined]);
    api.ctx.gateway = gateway;
  });

  test('is shown on a credit', async () => {
    await change('B207', { balance_cents: -500 });
    expect((await codes('B207'))[0]).toBe(await codeOf('B207'));
  });

  test('is gone with the move-out, in the list and of the unit', async () => {
    await change('B207', { moved_out_on: '2026-01-01' });
    expect((await list(dana)).map(({ unitId }) => unitId)).not.toContain(unitOf('B207').unitId);
    const answer = await read(dana, 'B207');
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
  });

  // spec 4.66
  test('is shown until as many days after the due date, and from as much owed on, as the facility says, with the last day', async () => {
    const today = calendarDateIn('America/Chicago', testClock.now());
    const settings = (gate_grace_days: number, gate_least_cents: number) =>
      changeRows(api.owner, 'facilities', { gate_grace_days, gate_least_cents });
    const { ledgerId } = unitOf('B207');
    const charge = {
      category: 'fee' as const,
      description: 'Cleaning',
      dueOn: addDays(today, -3),
      priceCents: 17_500,
    };
    await postCharges(api.owner, ledgerId, [charge]);
    const code = await codeOf('B207');
    const answer = async () => (await read(dana, 'B207')).body as GateAccess;
    await settings(4, 1);
    expect(await answer()).toMatchObject({ accessCode: code, payBy: { amount: 175, date: today } });
    await settings(3, 1);
    expect(await answer()).not.toHaveProperty('accessCode');
    await settings(3, 17_501);
    expect(await answer()).toMatchObject({ accessCode: code });
    expect(await answer()).not.toHaveProperty('payBy');
    await settings(0, 1);
    expect(await answer()).toEqual({ unitId: unitOf('B207').unitId, timeZone: 'Business Hours' });
  });

  test('is withheld while staff have locked the unit, whatever is owed', async () => {
    const lock = (overlocked_at: Date | null) =>
      changeRows(api.owner, 'ledgers', { overlocked_at }, { id: unitOf('D310').ledgerId });
    await lock(testClock.now());
    expect((await read(dana, 'D310')).body).toEqual({
      unitId: unitOf('D310').unitId,
      timeZone: 'Business Hours',
      isOverlocked: true,
    });
    await lock(null);
    expect((await codes('D310'))[0]).toBe(await codeOf('D310'));
  });

  test('that another rental’s row holds does not open', async () => {
    const [mine, theirs] = [unitOf('B207').ledgerId, unitOf('E022').ledgerId];
    const rowOf = (id: string) =>
      api.owner
        .selectFrom('gate_codes')
        .selectAll()
        .where('ledger_id', '=', id)
        .executeTakeFirstOrThrow();
    const write = (access_code: string) =>
      changeRows(api.owner, 'gate_codes', { access_code }, { ledger_id: mine });
    const before = await rowOf(mine);
    await write((await rowOf(theirs)).access_code);
    const answer = await read(dana, 'B207');
    expect([answer.status, answer.text.includes(await codeOf('E022'))]).toEqual([500, false]);
    await write(before.access_code);
    expect((await read(dana, 'B207')).status).toBe(200);
  });
});
