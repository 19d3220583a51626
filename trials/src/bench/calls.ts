import { randomUUID } from 'node:crypto';
import { hashToken } from '@gatehouse/server/src/http/token.ts';
import type { Inputs } from './replay.ts';
import { CORPORATION, LOCATION, type Rental, type SignedIn } from './world.ts';

/** One HTTP request of the load. */
export type Call = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };

const TENANTS = `/api/corporations/${CORPORATION}/locations/${LOCATION}/tenants`;

/** The routes that are measured, as the bare server registers them. */
export const readPath = `${TENANTS}/:tenantId/ledgers`;
export const paymentPath = `${TENANTS}/:tenantId/payments`;

/** The signed-in `GET …/tenants/{id}/ledgers`. */
export function readCall({ token, tenantId }: SignedIn): Call {
  return { method: 'GET', path: `${TENANTS}/${tenantId}/ledgers`, headers: { authorization: `Bearer ${token}` } };
}

/** Below this path is the read without a guard. */
export const UNGUARDED = '/unguarded';

/** A payment of one cent with a new card and an Idempotency-Key of its own, which starts with `keyPrefix`. */
export function paymentCall({ token, tenantId }: SignedIn, rental: Rental, keyPrefix: string): Call {
  return {
    method: 'POST',
    path: `${TENANTS}/${tenantId}/payments`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `${keyPrefix}${randomUUID()}`,
    },
    body: JSON.stringify({ payments: [{ ...rental, amount: 0.01 }], creditCard }),
  };
}

const creditCard = {
  cardType: 'Visa',
  cardNumber: '4242424242424242',
  cardCvv: '123',
  expirationMonth: '04',
  expirationYear: String(new Date().getFullYear() + 3),
  name: 'Dana Reyes',
  postalCode: '76020',
};

/** What a request brings along, read the same way from the load's calls and in the bare server. */
export function inputsOf(
  tenantId: string,
  headers: Record<string, string | string[] | undefined>,
  body?: { payments: Rental[] },
): Inputs {
  const { ledgerId, unitId } = body?.payments[0] ?? {};
  return {
    tokenHash: hashToken(String(headers.authorization).slice('Bearer '.length)),
    tenantId,
    ...(ledgerId !== undefined && { ledgerId }),
    ...(unitId !== undefined && { unitId }),
    ...(headers['idempotency-key'] !== undefined && { idempotencyKey: String(headers['idempotency-key']) }),
  };
}
