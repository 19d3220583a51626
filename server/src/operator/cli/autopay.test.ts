import { beforeAll, expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { runCli } from '#test/cli.ts';
import { testClock } from '#test/test-day.ts';
import { addRows, findRows, getRow } from '#test/rows.ts';

const api = useTestApp('empty_template', {
  clock: { now: () => new Date('2026-11-21T12:00:00Z') },
});
beforeAll(async () => {
  const facility_id = await makeFacility(api.owner, {});
  const tenant_id = await makeTenant(api.owner, { facility_id });
  const unit = { facility_id };
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id,
    unit,
    moved_in_on: '2026-11-14',
  });
  await makeAutopay(
    api.owner,
    ledgerId,
    await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id }),
    api.ctx.clock.now(),
  );
  await runBilling(api.ctx, { facilityId: facility_id, date: '2026-11-14' });
});

const cli = (...args: string[]) => runCli(api, 'autopay', ['run', ...args]);
const items = () => api.owner.selectFrom('autopay_items').selectAll().execute();

test('autopay run refuses a day to come, and charges nothing', async () => {
  await expect(cli('--date', '2026-11-22')).rejects.toThrow(
    'At TXDFW03 it is 2026-11-21: nothing is charged',
  );
});

test('autopay run --dry-run tells what would be charged, asks no gateway and changes nothing', async () => {
  const before = await items();
  const foreseen = await cli('--dry-run');
  expect(foreseen.code).toBe(0);
  expect(foreseen.lines[0]).toBe('This would be charged; nothing was changed.');
  expect(foreseen.lines.at(-1)).toMatch(/^all +1 +\$200\.00 +0$/);
  const { lines } = await cli('--dry-run', '--json', '--facility', 'TXDFW03');
  expect(JSON.parse(lines[0]!)).toEqual({
    dryRun: true,
    facilities: [
      { facility: 'TXDFW03', date: '2026-11-21', attempts: 1, cents: 20_000, skipped: 0 },
    ],
    total: { attempts: 1, cents: 20_000, skipped: 0 },
  });
  expect(await items()).toEqual(before);
  expect(await findRows(api.owner, 'payment_intents', 'id')).toEqual([]);
});

test('autopay run charges what is due and prints it; run again it charges nothing', async () => {
  const first = await cli();
  expect(first.code).toBe(0);
  expect(first.lines.at(-1)).toMatch(/^all +1 +1 +\$200\.00 +0 +0 +0 +0 +0$/);
  const again = await cli('--facility', 'TXDFW03', '--json');
  expect(JSON.parse(again.lines[0]!)).toMatchObject({ total: { attempts: 0, takenCents: 0 } });
  expect((await cli('--dry-run')).lines.at(-1)).toMatch(/^all +0 +\$0\.00 +0$/);
});

test('autopay run exits with 3 where a facility’s zone is unknown', async () => {
  await makeFacility(api.owner, {
    location_code: 'NOWHERE',
    time_zone: 'Mars/Olympus',
  });
  expect(await cli()).toMatchObject({ code: 3 });
});

test('autopay run refuses to ask the sandbox for what was saved at Stripe, which it would call declined', async () => {
  const { id: tenant_id } = await getRow(api.owner, 'tenants', 'id');
  const customer = { tenant_id, customer: 'cus_1', created_at: testClock.now() };
  await addRows(api.owner, 'gateway_customers', customer);
  await expect(cli()).rejects.toThrow('The payments of this database go through Stripe');
});
