import { randomUUID } from 'node:crypto';
import type { GateAccess } from '@gatehouse/contract/gate-access';
import { beforeEach, expect, test } from 'vitest';
import { findUnits } from '#features/service/gate-controllers/units.ts';
import { moveInOf } from '#features/rentals/rentals/move-in.ts';
import { moveOutOf } from '#features/rentals/rentals/move-out.ts';
import { makeFacility, makeLedger, makeTenant, makeUser } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { readMails } from '#test/mails.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { newGateCode, writeGateCode } from './codes.ts';
import { changeCodeOf } from './staff.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';

const TODAY = '2026-11-20';

const api = useTestApp('empty_template', {
  clock: { now: () => new Date(`${TODAY}T15:00:00Z`) },
});
let facilityId: string;
beforeEach(async () => {
  facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
  });
});

type Rental = { ledgerId: string; unitId: string; tenantId: string; name: string };

async function rent(code?: string, tenant?: string): Promise<Rental> {
  const tenantId = tenant ?? (await makeTenant(api.owner, { facility_id: facilityId }));
  const name = randomUUID().slice(0, 8);
  const rental = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name },
    moved_in_on: '2026-11-01',
    billed_through: '2026-11-30',
    paid_through: '2026-11-30',
  });
  if (code !== undefined) await give(rental.ledgerId, code);
  return { ...rental, tenantId, name };
}
const give = (ledgerId: string, code: string) =>
  api.owner.transaction().execute((trx) => writeGateCode(api.ctx, trx, ledgerId, code));
const call = (isPreview = false, facility: string | null = null) => ({
  key: randomUUID(),
  by: 'Ana',
  why: 'bank payment returned',
  facilityIds: facility === null ? null : [facility],
  isPreview,
});
const changeTo = (ledgerId: string, gateCode?: string) =>
  changeCodeOf(api.ctx, call(), { ledgerId, gateCode });
const moveOut = ({ ledgerId }: Rental) => moveOutOf(api.ctx, call(), { ledgerId, on: TODAY });

async function codeOf({ ledgerId }: Pick<Rental, 'ledgerId'>): Promise<string> {
  const { access_code } = await getRow(api.owner, 'gate_codes', 'access_code', {
    ledger_id: ledgerId,
  });
  return api.ctx.vault.open('gateCode', ledgerId, access_code);
}
/** The codes that the gate is to know. */
async function codesAtTheGate(): Promise<string[]> {
  const units = await findUnits(api.ctx, { facilityId, today: TODAY });
  return units.flatMap(({ ledgerId, sealedCode }) =>
    ledgerId === null ? [] : [api.ctx.vault.open('gateCode', ledgerId, sealedCode!)],
  );
}
const mailsOf = async ({ name }: Rental) =>
  (await readMails(api)).filter(({ subject }) =>
    subject.startsWith(`The gate code of unit ${name}`),
  );

test('a former tenant’s code opens nothing: rentals of others with the same code get another one, and a mail without it', async () => {
  const former = await rent('4821#');
  const [other, own] = [await rent('4821#'), await rent('4821#', former.tenantId)];
  await moveOut(own);
  // The tenant has another rental and still comes in by right.
  expect(await codeOf(former)).toBe('4821#');
  await give(other.ledgerId, '4821#');
  await moveOut(former);
  expect(await codesAtTheGate()).not.toContain('4821#');
  const mails = await mailsOf(other);
  expect(mails.length).toBeGreaterThan(0);
  for (const { text } of mails) expect(text).not.toContain(await codeOf(other));
  expect(await mailsOf(former)).toEqual([]);
});

test('the next rental of the unit has another code than the former, no matter who moves in', async () => {
  const former = await rent();
  await moveOut(former);
  const before = await codeOf(former);
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const { ledgers } = await moveInOf(api.ctx, call(), {
    tenantId,
    unit: former.name,
    on: TODAY,
    rate: 200,
  });
  const after = await codeOf({ ledgerId: ledgers[0]!.ledgerId });
  expect(after).not.toBe(before);
  expect(await codesAtTheGate()).toEqual([after]);
});

test('a new code is none that a rental of the facility has or had within a year', async () => {
  const { ledgerId } = await rent('0000#');
  const sealed = Array.from({ length: 9999 }, (_, number) => ({
    id: randomUUID(),
    unitId: randomUUID(),
    code: `${String(number).padStart(4, '0')}#`,
  }));
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const size = { width_feet: 12, length_feet: 40, type_name: 'RV' };
  for (let from = 0; from < sealed.length; from += 1000) {
    const part = sealed.slice(from, from + 1000);
    await addRows(
      api.owner,
      'units',
      part.map(({ unitId: id }) => ({ id, facility_id: facilityId, name: id, ...size })),
    );
    await addRows(
      api.owner,
      'ledgers',
      part.map(({ id, unitId }, index) => ({
        id,
        unit_id: unitId,
        tenant_id: tenantId,
        rental_rate_cents: 20_000,
        gate_schedule_id: 1,
        moved_in_on: '2026-01-01',
        moved_out_on: index % 2 === 0 ? '2026-06-01' : null,
        paid_through: '2026-11-30',
        billed_through: '2026-11-30',
        billing_day: 1,
      })),
    );
    await addRows(
      api.owner,
      'gate_codes',
      part.map(({ id, code }) => ({
        ledger_id: id,
        access_code: api.ctx.vault.seal('gateCode', id, code),
      })),
    );
  }
  expect(await newGateCode(api.ctx, api.ctx.db, facilityId)).toBe('9999#');
  await give(ledgerId, '9999#');
  await expect(newGateCode(api.ctx, api.ctx.db, facilityId)).rejects.toMatchObject({ status: 409 });
});

test('staff change a code: the old one is gone at once, the tenant is mailed without it, and it is in the audit trail', async () => {
  const rental = await rent();
  const email = `${rental.tenantId}@example.com`;
  const user = { email, password: DEMO_PASSWORD, tenantIds: [rental.tenantId] };
  await makeUser(api.owner, user);
  const { location_code } = await getRow(api.owner, 'facilities', 'location_code', {
    id: facilityId,
  });
  await changeRows(api.owner, 'tenants', { email }, { id: rental.tenantId });
  const before = await codeOf(rental);
  await changeCodeOf(api.ctx, call(true), { ledgerId: rental.ledgerId });
  expect(await codeOf(rental)).toBe(before);
  const answer = await changeTo(rental.ledgerId);
  const after = await codeOf(rental);
  expect(after).not.toBe(before);
  expect(JSON.stringify(answer)).not.toContain(after);
  const { prefix, token } = await signIn(api, email, location_code);
  const seen = await api.call('GET', `${prefix}/gate-access`, { token });
  expect((seen.body as GateAccess[])[0]).toMatchObject({ accessCode: after });
  expect(await codesAtTheGate()).toEqual([after]);
  const [mail, ...more] = await mailsOf(rental);
  expect(more).toEqual([]);
  expect(mail!.text).not.toContain(after);
  const events = await findRows(api.owner, 'audit_events', 'details', {
    ledger_id: rental.ledgerId,
    kind: 'staff_action',
  });
  expect(events.map(({ details }) => details)).toEqual([
    expect.objectContaining({
      verb: 'rentals.changeCode',
      by: 'Ana',
      why: 'bank payment returned',
    }),
  ]);
  expect(JSON.stringify(events)).not.toContain(after);
});

test('a code that the unit has, that another tenant has or had, a rental that has ended and one elsewhere are refused', async () => {
  const rental = await rent('1111#');
  const own = await rent('2222#', rental.tenantId);
  await rent('3333#');
  const former = await rent('4444#');
  await moveOut(former);
  for (const [code, status] of [
    ['1111#', 422],
    ['3333#', 409],
    ['4444#', 409],
    ['', 422],
  ] as const)
    await expect(changeTo(rental.ledgerId, code)).rejects.toMatchObject({ status });
  expect(await codeOf(rental)).toBe('1111#');
  await expect(changeTo(former.ledgerId)).rejects.toMatchObject({ status: 409 });
  const elsewhere = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
  });
  await expect(
    changeCodeOf(api.ctx, call(false, elsewhere), { ledgerId: rental.ledgerId }),
  ).rejects.toMatchObject({ status: 404 });
  // One person may have one code for all rentals.
  await changeTo(rental.ledgerId, '2222#');
  expect([await codeOf(rental), await codeOf(own)]).toEqual(['2222#', '2222#']);
});

test('a refusal that tells a code of the facility is noted as if the code was shown, also of a preview', async () => {
  const rental = await rent('1111#');
  const own = await rent('2222#', rental.tenantId);
  await changeRows(
    api.owner,
    'ledgers',
    { overlocked_at: api.ctx.clock.now() },
    { id: own.ledgerId },
  );
  const other = await rent('3333#');
  for (const isPreview of [true, false])
    for (const [code, told] of [
      ['1111#', rental],
      ['2222#', own],
      ['3333#', other],
    ] as const) {
      const given = { ledgerId: rental.ledgerId, gateCode: code };
      await expect(changeCodeOf(api.ctx, call(isPreview), given)).rejects.toThrow(/this code/);
      const { details, tenant_id, facility_id } = (
        await findRows(api.owner, 'audit_events', ['details', 'tenant_id', 'facility_id'], {
          ledger_id: told.ledgerId,
        })
      ).at(-1)!;
      expect([tenant_id, facility_id]).toEqual([told.tenantId, facilityId]);
      expect(details).toMatchObject({ verb: 'rentals.code', by: 'Ana' });
    }
  expect(await findRows(api.owner, 'audit_events', 'id', { facility_id: facilityId })).toHaveLength(
    6,
  );
});

test('of two changes at once, under one key or two, each is done once', async () => {
  const { ledgerId, ...rental } = await rent();
  const key = randomUUID();
  const once = () => changeCodeOf(api.ctx, { ...call(), key }, { ledgerId });
  await Promise.all([once(), once(), once()]);
  expect(await mailsOf({ ledgerId, ...rental })).toHaveLength(1);
  await Promise.all([changeTo(ledgerId), changeTo(ledgerId)]);
  expect(await mailsOf({ ledgerId, ...rental })).toHaveLength(3);
});
