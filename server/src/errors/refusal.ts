import { t } from '@gatehouse/language/t';

/** An expected refusal: the status and the sentence that the tenant reads. */
export class Refusal extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  /** `retryAfterSeconds` is when to come again, for a 429 or 503. */
  constructor(
    status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 421 | 422 | 429 | 503,
    message: string,
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Missing and another's look the same, byte for byte. */
export function notFound(): Refusal {
  return new Refusal(404, t('Not found.'));
}
