import { lastDayOf } from '@gatehouse/contract/dates';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { warnOfExpiringCards } from './card-warnings.ts';

let facilityId: string;
let tenantId: string;
let now = new Date('2026-11-01T12:00:00Z');
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
});

async function autopayWith(card: { type?: 'ach'; expires_on: string | null }, units: string[]) {
  const methodId = await makePaymentMethod(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    last_four: '4242',
    ...card,
  });
  for (const name of units) {
    const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name },
      moved_in_on: '2026-01-14',
      billed_through: '2026-11-13',
      paid_through: '2026-11-13',
    });
    await makeAutopay(api.owner, ledgerId, methodId, api.ctx.clock.now());
  }
  return methodId;
}

const warn = (date: string) => {
  now = new Date(`${date}T12:00:00Z`);
  return warnOfExpiringCards(api.ctx, { facilityId, date });
};

test.each([
  ['2026-11', '2026-11-30'],
  ['2026-12', '2026-12-31'],
  ['2028-02', '2028-02-29'],
])('a card of %s ends on %s', (expiresOn, day) => expect(lastDayOf(expiresOn)).toBe(day));

describe('the warning of a card that ends', () => {
  test('goes out 30 and 7 days ahead, once each, whatever days the run missed', async () => {
    const methodId = await autopayWith({ expires_on: '2026-12' }, ['A101', 'B207']);
    await autopayWith({ expires_on: '2028-04' }, ['C014']);
    await autopayWith({ type: 'ach', expires_on: null }, ['D310']);
    const sent: string[] = [];
    for (const date of [
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
      '2026-12-23',
      '2026-12-25',
      '2026-12-26',
      '2027-01-02',
    ])
      if ((await warn(date)) > 0) sent.push(date);
    expect(sent).toEqual(['2026-12-01', '2026-12-25']);
    const warnings = await api.owner
      .selectFrom('card_warnings')
      .select(['payment_method_id', 'days'])
      .orderBy('warned_at')
      .execute();
    expect(warnings).toEqual([
      { payment_method_id: methodId, days: 30 },
      { payment_method_id: methodId, days: 7 },
    ]);
  });

  test('names the units, the card, its last day and the next charge', async () => {
    const { text } = (await readMails(api)).find(
      ({ subject }) => subject === 'The card of your autopay expires on 12/31/2026',
    )!;
    expect(text).toContain('Visa ending in 4242 pays for units A101, B207');
    expect(text).toContain('its last day is 12/31/2026');
    expect(text).toMatch(/The next charge is \$200\.00 on \d+\/\d+\/2026/);
  });

  test('is sent by one of several workers', async () => {
    await autopayWith({ expires_on: '2027-03' }, ['E022']);
    const runs = await Promise.all([warn('2027-03-02'), warn('2027-03-02'), warn('2027-03-02')]);
    expect(runs.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});
