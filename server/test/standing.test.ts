import type { Charge } from '@gatehouse/contract/charges';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { beforeAll, expect, test } from 'vitest';
import { postCharges } from '#seeds/builders.ts';
import { testClock } from '#test/test-day.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { addRows, changeRows, getRow } from './rows.ts';

const api = useTestApp('demo_template');
let lee: SignedIn;
let ledgerId: string;
beforeAll(async () => {
  lee = await signIn(api, 'lee@example.com');
  const { body } = await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}/ledgers`, lee);
  ledgerId = body[0].id;
});

const get = async <T>(path: string) => (await api.call('GET', lee.prefix + path, lee)).body as T;

// spec 3.21, 7.49
test('a charge shows its discount and both taxes, and is owed after discount with taxes', async () => {
  const today = calendarDateIn('America/Chicago', testClock.now());
  const parts = { priceCents: 10_000, discountCents: 1_000, tax1Cents: 563, tax2Cents: 180 };
  await postCharges(api.owner, ledgerId, [
    { category: 'service', description: 'Wash bay', dueOn: today, ...parts },
  ]);
  const charges = await get<Charge[]>(`/tenants/${lee.tenantIds[0]}/charges?ledgerId=${ledgerId}`);
  expect(charges).toEqual([
    {
      id: expect.any(String),
      description: 'Wash bay',
      balance: 97.43,
      discount: 10,
      tax1: 5.63,
      tax2: 1.8,
    },
  ]);
});

test('a month with a full discount costs nothing and is covered', async () => {
  const standing = () =>
    getRow(api.owner, 'ledgers', ['balance_cents', 'paid_through'], { id: ledgerId });
  const before = await standing();
  const dueOn = addDays(before.paid_through, 1);
  const free = { dueOn, periodEnd: addDays(dueOn, 29), priceCents: 24_000, discountCents: 24_000 };
  await postCharges(api.owner, ledgerId, [{ category: 'rent', description: 'Rent', ...free }]);
  expect(await standing()).toEqual({
    balance_cents: before.balance_cents,
    paid_through: free.periodEnd,
  });
});

// spec 3.22, 7.18
test('a facility’s discount plans are its own', async () => {
  expect(await get('/discount-plans')).toEqual([{ id: expect.any(String), name: 'Military 10%' }]);
});

// spec 3.31, 3.32, 3.33
test('private insurance counts through its last day, on the facility’s calendar, and not after', async () => {
  const today = calendarDateIn('America/Chicago', testClock.now());
  const status = async () =>
    (await get<InsuranceStatus[]>(`/ledgers/${ledgerId}/insurance-statuses`))[0]!;
  const endsOn = (ends_on: string) =>
    changeRows(api.owner, 'private_policies', { ends_on }, { ledger_id: ledgerId });
  await api.owner.deleteFrom('ledger_protection_plans').where('ledger_id', '=', ledgerId).execute();
  const policy = {
    company: 'X',
    policy_number: 'P-1',
    coverage_cents: 500_000,
    starts_on: addDays(today, -9),
  };
  await addRows(api.owner, 'private_policies', { ledger_id: ledgerId, ...policy });
  await endsOn(today);
  expect(await status()).toMatchObject({
    privateInsurance: true,
    activeInsurance: false,
    coverage: 5000,
    policyNumber: 'P-1',
  });
  await endsOn(addDays(today, -1));
  expect(await status()).toMatchObject({
    privateInsurance: false,
    policyNumber: null,
    coverage: null,
  });
});
