import { pathOf, type Endpoint } from '@gatehouse/contract/endpoint';
import { uploadImage } from '@gatehouse/contract/images';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { toDollars } from '@gatehouse/contract/money';
import { makePayment, type PaymentParams } from '@gatehouse/contract/payments';
import { register } from '@gatehouse/contract/registration';
import { login } from '@gatehouse/contract/sign-in';
import type { Call } from './client.ts';
import type { Order } from './orders.ts';
import { CORPORATION, LOCATION, type Payer } from './world.ts';

/** What a portal reads most: the rentals of who is signed in. */
export function readLedgers({ tenantId, token }: Payer): Call {
  return { method: 'GET', path: pathAt(listLedgers, { tenantIds: tenantId }), token };
}

/** The request of an order. */
export function pay({ payer, lines, method, key }: Omit<Order, 'name'>): Call {
  const payments = lines.map(({ ledgerId, unitId, cents }) => ({
    ledgerId,
    unitId,
    amount: toDollars(cents),
  }));
  return {
    method: 'POST',
    path: pathAt(makePayment, { tenantId: payer.tenantId }),
    token: payer.token,
    body: { payments, ...method } satisfies PaymentParams,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  };
}

/** A photo as the portal sends it. */
export function sendPhoto({ tenantId, token }: Payer, jpeg: Buffer): Call {
  return {
    method: 'POST',
    path: pathAt(uploadImage, { tenantId }),
    token,
    body: { imageData: `data:image/jpeg;base64,${jpeg.toString('base64')}`, file: 'unit.jpg' },
  };
}

/** Asks for a verification code. */
export function lookUp(email: string): Call {
  const body = { email, locationCode: LOCATION, corporationCode: CORPORATION };
  return { method: 'POST', path: pathAt(register), body };
}

export function signIn(username: string, password: string): Call {
  const body = { username, password, locationCode: LOCATION, corporationCode: CORPORATION };
  return { method: 'POST', path: pathAt(login), body };
}

/** The path of an endpoint at the facility of the proofs. */
export function pathAt(
  { path }: Pick<Endpoint, 'path'>,
  params: Record<string, string> = {},
): string {
  return `/api${pathOf(path, { corp: CORPORATION, locationCode: LOCATION, ...params })}`;
}
