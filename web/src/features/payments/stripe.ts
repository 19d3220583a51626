import { toCents } from '@gatehouse/contract/money';
import type { PaymentMethodFields, PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { language } from '@gatehouse/language/language';
import type { MethodForm } from './method-form.ts';
import { trustedScript } from '#ui/trusted-script.ts';

/**
 * The small part of Stripe.js that the hosted fields use; its whole reference is at
 * https://docs.stripe.com/js.
 */
export type StripeError = { type: string; message?: string };

/** What Stripe shows of the method that a confirmation token stands for. */
export type MethodPreview = {
  card?: { brand: string; last4: string; exp_month: number; exp_year: number };
  us_bank_account?: {
    last4: string | null;
    account_type: string | null;
    account_holder_type: string | null;
    routing_number: string | null;
  };
};

export type ConfirmationToken = { id: string; payment_method_preview: MethodPreview };

/** `amount` is in cents. */
export type ElementsAmount = { mode: 'payment'; amount: number } | { mode: 'setup' };
export type ElementsOptions = ElementsAmount & {
  currency: 'usd';
  /** Absent where the method pays once. */
  setupFutureUsage?: 'off_session';
  paymentMethodTypes: ('card' | 'us_bank_account')[];
  appearance: { theme: 'stripe' | 'night'; variables: Record<string, string> };
};

type BillingDetails = { name?: string; email?: string; address?: Record<string, string> };
export type PaymentElementOptions = {
  defaultValues: { billingDetails: BillingDetails };
  fields: {
    billingDetails: {
      name: 'auto' | 'never';
      address: { country: 'auto' | 'never'; postalCode: 'auto' | 'never' };
    };
  };
  wallets: { applePay: 'never'; googlePay: 'never'; link: 'never' };
  terms: { card: 'never' };
};

export type PaymentElement = {
  on(event: 'ready', heard: () => void): void;
  on(event: 'loaderror', heard: (event: { error: StripeError }) => void): void;
  mount(place: HTMLElement): void;
  destroy(): void;
};

export type StripeElements = {
  create(kind: 'payment', options: PaymentElementOptions): PaymentElement;
  update(options: ElementsAmount | { setupFutureUsage: 'off_session' | null }): void;
  submit(): Promise<{ error?: StripeError }>;
};

export type Stripe = {
  elements(options: ElementsOptions): StripeElements;
  createConfirmationToken(options: {
    elements: StripeElements;
    params?: { payment_method_data: { billing_details: BillingDetails } };
  }): Promise<{ confirmationToken?: ConfirmationToken; error?: StripeError }>;
};

/** `locale`: of the fields and of all sentences that Stripe says. */
type Opener = (publishableKey: string, options: { locale: 'en' | 'es-419' }) => Stripe;

declare global {
  /** There once the script is. */
  var Stripe: Opener | undefined;
}

/**
 * Stripe serves its script from there only, one address a release of its API; it must not be hosted
 * elsewhere. The release is the one whose name ends the API version that the server's SDK pins,
 * `2026-10-28.endive`: they are made for each other.
 */
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/**
 * After so long a script that neither came nor failed is given up, so that the next attempt
 * requests it again.
 */
const SCRIPT_MS = 20_000;

/** The name that the page's header allows, in a live profile only. */
const POLICY = 'stripe-js';

let script: Promise<Opener> | undefined;

/**
 * Loads Stripe's script, once, and opens it for the operator's account. Rejects where it cannot be
 * loaded; may be asked again.
 */
export async function openStripe(publishableKey: string): Promise<Stripe> {
  // Stripe wants its script in a page once, and one that was given up may have come since.
  const open =
    globalThis.Stripe ?? (await (script ??= loadScript().finally(() => (script = undefined))));
  return open(publishableKey, { locale: language() === 'es' ? 'es-419' : 'en' });
}

function loadScript(): Promise<Opener> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    const giveUp = () => {
      clearTimeout(late);
      element.remove();
      reject(new Error('Stripe.js could not be loaded'));
    };
    const late = setTimeout(giveUp, SCRIPT_MS);
    element.src = trustedScript(POLICY, SCRIPT);
    element.onerror = giveUp;
    element.onload = () => {
      if (globalThis.Stripe === undefined) {
        giveUp();
        return;
      }
      clearTimeout(late);
      resolve(globalThis.Stripe);
    };
    document.head.append(element);
  });
}

/**
 * The body's method of a live profile: the token, whether the tenant agrees that it is kept for
 * autopay, and the masked copies, which decide nothing: the server asks the provider.
 */
export function tokenizedFields(
  { id, payment_method_preview: { card, us_bank_account: bank } }: ConfirmationToken,
  { creditCard: { name, postalCode } }: MethodForm,
  isKept: boolean,
): PaymentMethodFields {
  const token = { paymentToken: id, ...(isKept && { keepForAutopay: true }) };
  if (bank) {
    return {
      ach: {
        ...token,
        accountType: [bank.account_holder_type, bank.account_type].filter(Boolean).join(' '),
        accountNumber: masked(bank.last4),
        routingNumber: bank.routing_number,
      },
    };
  }
  return {
    creditCard: {
      ...token,
      cardType: card?.brand,
      cardNumber: masked(card?.last4 ?? null),
      expirationMonth: card && String(card.exp_month).padStart(2, '0'),
      expirationYear: card && String(card.exp_year),
      name: name.trim(),
      postalCode: postalCode.trim(),
    },
  };
}

function masked(lastFour: string | null): string | null {
  return lastFour && `************${lastFour}`;
}

/** What the fields are to be good for: a payment now and later ones, or later ones only. */
export function amountOptions(dueNow: number): ElementsAmount {
  return dueNow > 0 ? { mode: 'payment', amount: toCents(dueNow) } : { mode: 'setup' };
}

/** Of whom the provider's form knows what is known here. */
export type Payer = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  emailAddress?: string | undefined;
};

/**
 * A card's holder and zip are asked for by our own form and handed over with the token; a bank
 * account's holder is asked for by the provider, which needs the name and address of its mandate.
 */
export function elementOptions(type: PaymentMethodType, payer: Payer): PaymentElementOptions {
  const asked = type === 'ach' ? 'auto' : 'never';
  const name = [payer.firstName, payer.lastName].filter(Boolean).join(' ');
  return {
    defaultValues: {
      billingDetails: {
        ...(name && { name }),
        ...(payer.emailAddress && { email: payer.emailAddress }),
      },
    },
    fields: { billingDetails: { name: asked, address: { country: asked, postalCode: asked } } },
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    // Ours is above the button.
    terms: { card: 'never' },
  };
}

/**
 * What our own form has asked of a card's holder, as the provider takes it. The operator's tenants
 * are in the US.
 */
export function billingDetails({ creditCard: { name, streetAddress, postalCode } }: MethodForm) {
  const line1 = streetAddress.trim();
  return {
    name: name.trim(),
    address: { country: 'US', postal_code: postalCode.trim(), ...(line1 && { line1 }) },
  };
}

/** The look of our own fields for those in the provider's frame, which no style of ours reaches. */
export function appearance(): ElementsOptions['appearance'] {
  return {
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe',
    variables: {
      colorPrimary: colorOf('--brand'),
      colorBackground: colorOf('--raised'),
      colorText: colorOf('--text'),
      colorTextSecondary: colorOf('--muted'),
      colorDanger: colorOf('--bad'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '8px',
      spacingUnit: '4px',
    },
  };
}

/**
 * A colour of tokens.css as the frame knows it: painted and read back, because it does not know
 * `oklch`.
 */
function colorOf(name: string): string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (canvas === null) return 'gray';
  canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
