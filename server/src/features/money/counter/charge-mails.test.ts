import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { addChargeTo } from './charges.ts';
import { addCreditTo } from './credits.ts';
import { recordPaymentFor } from './record-payment.ts';
import { reversePaymentOf } from './reverse-payment.ts';
import { changeRows } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const api = useTestApp('empty_template', {
  clock: { now: () => new Date('2026-11-21T18:00:00Z') },
});

/** A rental at a facility that closes the gate after `graceDays`, and the mails to its tenant. */
async function rental(graceDays: number) {
  const facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
    gate_grace_days: graceDays,
  });
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId, email });
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name: 'A7' },
    moved_in_on: '2026-11-01',
    billed_through: '2026-11-30',
    paid_through: '2026-11-30',
  });
  const charge = (amount = 45) =>
    addChargeTo(api.ctx, staffCall(), {
      ledgerId,
      category: 'fee',
      description: 'Lock replaced',
      amount,
      isTaxed: false,
    });
  const newest = async () => (await mailsTo(api, email)).at(-1)!;
  return { ledgerId, charge, newest };
}

// spec 10.101
describe('the mail of a charge', () => {
  test('that closes the gate says so, with its due day, the sum and the way to pay', async () => {
    const { ledgerId, charge, newest } = await rental(0);
    await charge();
    const { subject, text, html } = await newest();
    expect(subject).toBe('Unit A7: pay $45.00 to open the gate');
    expect(text).toContain('Unit A7: Lock replaced, due 11/21/2026: $45.00\n');
    expect(text).toContain('\nThe gate code of unit A7 does not work until $45.00 is paid.\n');
    expect(text).toMatch(new RegExp(`\nPay \\$45\\.00:\n.*/billing-info\\?ledger=${ledgerId}\n`));
    expect(html).toMatch(/class="button"[^>]*>Pay \$45\.00</);
  });

  test('that will close it names the last day', async () => {
    const { charge, newest } = await rental(5);
    await charge();
    const { subject, text } = await newest();
    expect(subject).toBe('Unit A7: pay $45.00 by 11/25/2026 to keep your gate code');
    expect(text).toContain(
      '\nThe gate code of unit A7 works through 11/25/2026. Pay $45.00 by then to keep it.\n',
    );
  });

  test('under a lock by hand, or that a credit pays, speaks of no gate', async () => {
    const { ledgerId, charge, newest } = await rental(0);
    const lock = { overlocked_at: api.ctx.clock.now() };
    await changeRows(api.owner, 'ledgers', lock, { id: ledgerId });
    await charge();
    expect((await newest()).text).not.toContain('gate code');
    const paid = await rental(0);
    const credit = { description: 'Goodwill', category: null, amount: 100 };
    await addCreditTo(api.ctx, staffCall(), { ledgerId: paid.ledgerId, ...credit });
    await paid.charge();
    const { subject, text } = await paid.newest();
    expect(subject).toMatch(/^A change to your account at /);
    expect(text).not.toContain('gate code');
    expect(text).toMatch(/\nSee your payments:\n.*\/payment-history\n/);
  });
});

test('the mail of a check that was not paid says that the gate is closed again', async () => {
  const { ledgerId, charge, newest } = await rental(0);
  await charge();
  const paid = { ledgerIds: [ledgerId], type: 'check', amount: 45, number: '77' };
  const { receiptNumber } = await recordPaymentFor(api.ctx, staffCall(), paid);
  await reversePaymentOf(api.ctx, staffCall(), { receiptNumber, reason: 'nsf' });
  const { subject, text } = await newest();
  expect(subject).toBe('Your bank returned your payment of $45.00');
  expect(text).toContain('\nThe gate code of unit A7 does not work until $45.00 is paid.\n');
  expect(text).toMatch(/\nPay \$45\.00:\n/);
});
