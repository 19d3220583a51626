import { randomUUID } from 'node:crypto';
import { makeAutopay, makeLedger, makePaymentMethod } from '#seeds/builders.ts';
import type { TestApp } from '#test/app.ts';
import { card } from '#test/card.ts';

type Renter = { tenantId: string; facilityId: string };

/** A rental at $150.00 that has been billed through 11/30/2026 and paid. */
export async function makePaidRental(
  { owner, ctx }: TestApp,
  { tenantId, facilityId }: Renter,
  name: string,
  row: object = {},
): Promise<string> {
  const { ledgerId } = await makeLedger(owner, ctx.vault, {
    tenant_id: tenantId,
    unit: { facility_id: facilityId, name },
    moved_in_on: '2026-10-01',
    billed_through: '2026-11-30',
    paid_through: '2026-11-30',
    rental_rate_cents: 15_000,
    ...row,
  });
  return ledgerId;
}

/** Autopay by a new card of the tenant. */
export async function setUpAutopay(
  { owner, ctx }: TestApp,
  tenantId: string,
  ledgerId: string,
): Promise<void> {
  const method = await makePaymentMethod(owner, ctx.vault, { tenant_id: tenantId });
  await makeAutopay(owner, ledgerId, method, ctx.clock.now());
}

/** A time of a facility in Chicago. */
export function chicagoTime(date: string, time: string): Date {
  return new Date(
    Temporal.ZonedDateTime.from(`${date}T${time}[America/Chicago]`).epochMilliseconds,
  );
}

/** Pays what the pay link in a mail or text asks for. */
export async function payByLinkIn(
  api: TestApp,
  text: string,
  cardNumber = card.cardNumber,
): Promise<{ status: number; amount: number }> {
  const token = /\/pay\/(rpt_[\w-]+)/.exec(text)![1]!;
  const shown = await api.call('GET', `/pay-links/${token}`);
  const { amount } = shown.body as { amount: number };
  const paid = await api.call('POST', `/pay-links/${token}/payments`, {
    body: { amount, creditCard: { ...card, cardNumber } },
    headers: { 'idempotency-key': randomUUID() },
  });
  return { status: paid.status, amount: (paid.body as { amount: number }).amount };
}
