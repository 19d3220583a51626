import { cardExpired } from '@gatehouse/contract/payment-methods';
import { beforeAll, expect, test } from 'vitest';
import { makeFacility, makeLedger, makeTenant, makeUser, postCharges } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { card } from '#test/card.ts';
import { findRows } from '#test/rows.ts';

/** The last minutes of November at the facility, whose calendar is America/Chicago's. */
const november = new Date('2026-12-01T05:50:00Z');
const december = new Date('2026-12-01T06:00:00Z');
const creditCard = { ...card, expirationMonth: '11', expirationYear: '2026' };

let now = november;
let dana: SignedIn;
let tenantId: string;
let facilityId: string;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  await makeUser(api.owner, {
    email: 'dana@example.com',
    password: DEMO_PASSWORD,
    tenantIds: [tenantId],
  });
  dana = await signIn(api, 'dana@example.com');
});

async function unitThatOwes(name: string) {
  const unit = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name },
    moved_in_on: '2026-11-14',
  });
  const rent = { dueOn: '2026-11-14', periodEnd: '2026-12-13', priceCents: 20_000 };
  await postCharges(api.owner, unit.ledgerId, [{ category: 'rent', description: 'Rent', ...rent }]);
  return unit;
}

// spec 5.64
test('a new card pays and sets autopay up to the end of its month by the facility’s calendar, and is refused with 422 after it', async () => {
  const calls = async (unit: { ledgerId: string; unitId: string }) => {
    const post = (path: string, body: object) =>
      api.call('POST', `${dana.prefix}${path}`, { token: dana.token, body });
    return [
      await post(`/tenants/${tenantId}/payments`, {
        payments: [{ ...unit, amount: 200 }],
        creditCard,
      }),
      await post(`/ledgers/${unit.ledgerId}/autopay-update`, { creditCard }),
    ];
  };
  const [first, second] = [await unitThatOwes('E1'), await unitThatOwes('E2')];
  now = november;
  expect((await calls(first)).map(({ status }) => status)).toEqual([200, 200]);
  now = december;
  for (const { status, body } of await calls(second))
    expect([status, body]).toEqual([422, { message: cardExpired() }]);
  const kept = await findRows(api.owner, 'payment_methods', 'id');
  const charged = await findRows(api.owner, 'payment_intents', 'id');
  expect([kept.length, charged.length]).toEqual([1, 1]);
});
