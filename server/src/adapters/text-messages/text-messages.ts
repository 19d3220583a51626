/** A text message to one number, in E.164 such as +18175550142. `id` is ours. */
export type TextMessage = { id: string; to: string; body: string };

/** Sends text messages. */
export type TextMessages = {
  /**
   * Hands one text message over, once: providers know no idempotency, so that a call whose outcome
   * is unknown must not be repeated. Answers the provider's id of it. Throws TextNotSent,
   * TextRefused or TextUnknown, whose messages name neither a number nor the text.
   */
  send(message: TextMessage): Promise<{ providerId: string }>;
};

/**
 * Nothing was handed over; the same text may be sent later. `isOurAccount`: once our account at the
 * provider was put right.
 */
export class TextNotSent extends Error {
  override name = 'TextNotSent';
  readonly isOurAccount: boolean;

  constructor(
    message: string,
    { isOurAccount = false, ...options }: ErrorOptions & { isOurAccount?: boolean } = {},
  ) {
    super(message, options);
    this.isOurAccount = isOurAccount;
  }
}

/**
 * The provider refuses the text for good, and nothing was sent. `isStopped`: because its recipient
 * has answered STOP. `code` is the provider's.
 */
export class TextRefused extends Error {
  override name = 'TextRefused';
  readonly code: string;
  readonly isStopped: boolean;

  constructor(code: string, isStopped: boolean) {
    super(`the provider refused a text message (${code})`);
    this.code = code;
    this.isStopped = isStopped;
  }
}

/** It is not known whether the provider took the text. */
export class TextUnknown extends Error {
  override name = 'TextUnknown';
}

/** What a provider reports to our webhook. */
export type TextEvent =
  /**
   * A message to one of our numbers. `id` is the provider's; `word` what the provider took it for,
   * null where it does not say.
   */
  | { kind: 'reply'; id: string; from: string; body: string; word: TextWord | null }
  /** What became of a text of ours; `code` is why it was not delivered. */
  | {
      kind: 'status';
      textId: string;
      providerId: string;
      state: 'delivered' | 'undelivered' | 'under_way';
      code: string | null;
      isStopped: boolean;
    };

/** What a message of a recipient asks for. */
export type TextWord = 'stop' | 'start' | 'help';
