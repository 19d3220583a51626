import type { StripeSettings } from '#config/config.ts';

/**
 * The content of an event, without data of a card, an account or a person. `reference` is ours
 * where the event names it, `payment` is Stripe's id of the charge, `body` holds the other fields
 * that are stored.
 */
export type GatewayEvent = {
  id: string;
  type: string;
  reference: string | null;
  payment: string | null;
  amountCents: number | null;
  body: Record<string, string | number | boolean | null>;
};

/** A signature is accepted for this long. */
const WINDOW_S = 300;

/**
 * A signature header without a digest: the SDK reports it as a fault of its caller, not as a wrong
 * signature.
 */
const HOLLOW = /(^|,)v1(=(=|,|$)|,|$)/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads an event from the received bytes. Null for a signature that is missing, wrong or old, and
 * for an invalid event. `now` is the current time.
 */
export async function readStripeEvent(
  { webhookSecret }: Pick<StripeSettings, 'webhookSecret'>,
  raw: Buffer,
  signature: string,
  now: Date,
): Promise<GatewayEvent | null> {
  if (HOLLOW.test(signature)) return null;
  const { default: Stripe } = await import('stripe');
  try {
    Stripe.webhooks.constructEvent(
      raw,
      signature,
      webhookSecret,
      WINDOW_S,
      undefined,
      now.getTime(),
    );
  } catch (error) {
    if (
      error instanceof Stripe.errors.StripeSignatureVerificationError ||
      error instanceof SyntaxError
    )
      return null;
    throw error;
  }
  return scrub(JSON.parse(raw.toString('utf8')));
}

/** Copies the fields that are needed to look the payment up; everything else is dropped. */
function scrub(event: unknown): GatewayEvent | null {
  const id = textAt(event, 'id');
  const type = textAt(event, 'type');
  const object = partOf(partOf(event, 'data'), 'object');
  if (id === null || type === null || !/^evt_\w+$/.test(id)) return null;
  const kind = textAt(object, 'object');
  return {
    id,
    type,
    reference: referenceOf(textAt(partOf(object, 'metadata'), 'reference')),
    payment: kind === 'payment_intent' ? textAt(object, 'id') : textAt(object, 'payment_intent'),
    amountCents: numberAt(object, 'amount'),
    body: {
      object: textAt(object, 'id'),
      customer: textAt(object, 'customer'),
      payment: kind === 'payment_intent' ? textAt(object, 'id') : textAt(object, 'payment_intent'),
      voids: textAt(partOf(object, 'metadata'), 'voids') === 'true',
    },
  };
}

/**
 * A valid reference of ours; null for none, and for text that another program at the same account
 * wrote there.
 */
export function referenceOf(text: string | null | undefined): string | null {
  return text != null && UUID.test(text) ? text : null;
}

function partOf(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null
    ? (whole as Record<string, unknown>)[name]
    : undefined;
}

/** An id or a code of Stripe. Longer text, or text with blanks, is dropped. */
function textAt(whole: unknown, name: string): string | null {
  const value = partOf(whole, name);
  return typeof value === 'string' && /^[\w.-]{1,255}$/.test(value) ? value : null;
}

function numberAt(whole: unknown, name: string): number | null {
  const value = partOf(whole, name);
  return Number.isSafeInteger(value) ? (value as number) : null;
}
