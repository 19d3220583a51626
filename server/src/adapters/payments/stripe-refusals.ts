import { NotSent, type GatewayFault, type Instrument } from './gateway.ts';
import { isOfMethod, isOfMethodType, type StripeFault } from './stripe-declines.ts';

/**
 * A refusal by Stripe. `card`: by the bank; `invalid`: something in the call is invalid; `key`: the
 * idempotency key was used for another call. The message holds codes only, because Stripe's own
 * may repeat what a tenant entered.
 */
export class StripeRefused extends Error {
  override name = 'StripeRefused';
  readonly kind: 'card' | 'invalid' | 'key';
  readonly fault: StripeFault;
  constructor(kind: StripeRefused['kind'], fault: StripeFault, message: string) {
    super(message);
    this.kind = kind;
    this.fault = fault;
  }
}

/** Whether the idempotency key was used for another call. */
export function isKeyUsed(error: unknown): boolean {
  return error instanceof StripeRefused && error.kind === 'key';
}

/** Whether Stripe refused a call with this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof StripeRefused && error.fault.code === code;
}

/**
 * Whether a refusal is a decline of the tenant's card or account; every other one is a fault of the
 * operator or of this program.
 */
export function isOfTenant({ kind, fault }: StripeRefused): boolean {
  return kind === 'card' || isOfMethod(fault);
}

/** Maps a refusal by Stripe, which did nothing, to NotSent; returns every other error as it is. */
export function notSentFrom(error: unknown, type: Instrument['type'] | null): unknown {
  if (!(error instanceof StripeRefused)) return error;
  const { message } = error;
  const fault: GatewayFault =
    type === 'ach' && isOfMethodType(error.fault)
      ? {
          kind: 'bank_debits_off',
          sentence: `Stripe does not take bank debits for this account (${message}). Switch them on in its dashboard.`,
        }
      : {
          kind: 'gateway_call_refused',
          sentence: `Stripe refused a call of ours (${message}): look it up in its dashboard.`,
        };
  return new NotSent(`Stripe refused the call: ${message}`, { cause: error, fault });
}
