import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { findUnits } from '#features/service/gate-controllers/units.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { overlockUnitOf, releaseUnitOf } from './overlock.ts';
import { changeRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

let facilityId: string;
let ledgerId: string;
let unitName: string;
const api = useTestApp('empty_template', {
  clock: { now: () => new Date('2026-11-20T15:00:00Z') },
});
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
});
beforeEach(async () => {
  const tenant_id = await makeTenant(api.owner, { facility_id: facilityId });
  unitName = randomUUID().slice(0, 8);
  const unit = { facility_id: facilityId, name: unitName };
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id, unit }));
});

const call = (key = randomUUID(), isPreview = false) => staffCall({ key, why: 'lien', isPreview });
const lock = (key?: ReturnType<typeof randomUUID>, isPreview?: boolean) =>
  overlockUnitOf(api.ctx, call(key, isPreview), { ledgerId });
const unlock = () => releaseUnitOf(api.ctx, call(), { ledgerId });
const isSuspended = async () =>
  (await findUnits(api.ctx, { facilityId, today: '2026-11-20' })).find(
    (unit) => unit.ledgerId === ledgerId,
  )?.isSuspended;

test('a lock by hand suspends the gate at a balance of 0, until it is released', async () => {
  expect(await isSuspended()).toBe(false);
  expect(await lock()).toMatchObject({ isOverlocked: true, ledgers: [{ ledgerId, balance: 0 }] });
  expect(await isSuspended()).toBe(true);
  expect(await unlock()).toMatchObject({ isOverlocked: false });
  expect(await isSuspended()).toBe(false);
  const { is_on_hold } = await getRow(api.owner, 'ledgers', 'is_on_hold', { id: ledgerId });
  expect(is_on_hold).toBe(false);
});

test('the tenant is mailed of the lock and of its end, not of a preview', async () => {
  await lock(randomUUID(), true);
  const key = randomUUID();
  await lock(key);
  await lock(key);
  await unlock();
  const mails = await api.owner
    .selectFrom('mails')
    .select(['to_address', 'subject'])
    .where('subject', 'like', `Unit ${unitName}%`)
    .orderBy('position')
    .execute();
  expect(mails).toEqual([
    { to_address: 'dana@example.com', subject: expect.stringMatching(/ is locked$/) as string },
    {
      to_address: 'dana@example.com',
      subject: expect.stringMatching(/ is no longer locked$/) as string,
    },
  ]);
});

test('its preview changes nothing, a key does it once, and of two clerks at once one does', async () => {
  await lock(randomUUID(), true);
  expect(await isSuspended()).toBe(false);
  const key = randomUUID();
  const tries = await Promise.allSettled([lock(key), lock(key), lock()]);
  expect(tries.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(2);
  expect(await isSuspended()).toBe(true);
  await expect(lock()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('already') as string,
  });
});

test('a unit that is not locked, one that is none and a rental that has ended are refused', async () => {
  await expect(unlock()).rejects.toMatchObject({ status: 409 });
  await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-11-20' }, { id: ledgerId });
  await expect(lock()).rejects.toMatchObject({ status: 409 });
  ledgerId = randomUUID();
  await expect(lock()).rejects.toMatchObject({ status: 404 });
});
