/** The small part of Stripe.js that the hosted fields use; its whole reference is at https://docs.stripe.com/js. */
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
  setupFutureUsage: 'off_session';
  paymentMethodTypes: ('card' | 'us_bank_account')[];
  appearance: { theme: 'stripe' | 'night'; variables: Record<string, string> };
};

type BillingDetails = { name?: string; email?: string; address?: Record<string, string> };
export type PaymentElementOptions = {
  defaultValues: { billingDetails: BillingDetails };
  fields: {
    billingDetails: { name: 'auto' | 'never'; address: { country: 'auto' | 'never'; postalCode: 'auto' | 'never' } };
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
  update(options: ElementsAmount): void;
  submit(): Promise<{ error?: StripeError }>;
};

export type Stripe = {
  elements(options: ElementsOptions): StripeElements;
  createConfirmationToken(options: {
    elements: StripeElements;
    params?: { payment_method_data: { billing_details: BillingDetails } };
  }): Promise<{ confirmationToken?: ConfirmationToken; error?: StripeError }>;
};

type Opener = (publishableKey: string) => Stripe;

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
};

declare global {
  /** There once the script is. */
  var Stripe: Opener | undefined;
  /** Absent in browsers that do not know them. */
  var trustedTypes: TrustedTypes | undefined;
}

/**
 * Stripe serves its script from there alone, one address a release of its API; it must not be hosted elsewhere. The release is
 * the one whose name ends the API version that the server's SDK pins, `2026-10-28.endive`: they are made for each other.
 */
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/** After so long a script that neither came nor failed is given up, so that the next attempt requests it again. */
const SCRIPT_MS = 20_000;

let script: Promise<Opener> | undefined;

/** Loads Stripe's script, once, and opens it for the operator's account. Rejects where it cannot be loaded; may be asked again. */
export async function openStripe(publishableKey: string): Promise<Stripe> {
  // Stripe wants its script in a page once, and one that was given up may have come since.
  const open = globalThis.Stripe ?? (await (script ??= loadScript().finally(() => (script = undefined))));
  return open(publishableKey);
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
    element.src = scriptUrl();
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

/** The one address that the page's policy lets a script of another origin come from (C1); made once, as policies are. */
let trustedUrl: string | undefined;
function scriptUrl(): string {
  trustedUrl ??= globalThis.trustedTypes?.createPolicy(POLICY, { createScriptURL: onlyScript }).createScriptURL(SCRIPT);
  return trustedUrl ?? SCRIPT;
}

/** The name that the page's header allows, in a live profile alone. */
const POLICY = 'stripe-js';

function onlyScript(url: string): string {
  if (url !== SCRIPT) throw new TypeError(`${url} is no script of this page`);
  return url;
}
