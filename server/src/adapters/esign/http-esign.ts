import { createHash } from 'node:crypto';
import {
  COMPLETED_ENVELOPE_STATUS_ID,
  DECLINED_ENVELOPE_STATUS_ID,
  EXPIRED_ENVELOPE_STATUS_ID,
  PENDING_ENVELOPE_STATUS_ID,
  type EsignDocument,
} from '@gatehouse/contract/esign';
import { z } from 'zod';
import { PostFailed } from '../bounded-post.ts';
import { createBreaker } from '../breaker.ts';
import { createSignedPost, type SignedTarget } from '../signed-post.ts';
import { EsignUnavailable, type EsignService } from './esign.ts';

/** The tenant waits for the list; resending is done by a job. */
const LIST_MS = 8_000;
const RESEND_MS = 20_000;

/** The envelope states of the specification and their ids. */
const statuses = {
  sent: { envelopeStatusId: PENDING_ENVELOPE_STATUS_ID, envelopeStatus: 'Sent' },
  completed: { envelopeStatusId: COMPLETED_ENVELOPE_STATUS_ID, envelopeStatus: 'Completed' },
  declined: { envelopeStatusId: DECLINED_ENVELOPE_STATUS_ID, envelopeStatus: 'Declined' },
  expired: { envelopeStatusId: EXPIRED_ENVELOPE_STATUS_ID, envelopeStatus: 'Expired' },
} as const;

const listed = z.object({
  envelopes: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        ledger: z.string(),
        form: z.string().min(1).max(200),
        status: z.enum(['sent', 'completed', 'declined', 'expired']),
      }),
    )
    .max(1000),
});
const sent = z.object({ forms: z.array(z.string().max(200)).max(1000) });

/**
 * An external signing service, or an adapter in front of one, that receives signed messages
 * (signed-post.ts): `envelopes.list` for some rentals and `envelopes.resend` for one. docs/esign.md
 * describes both. Documents of other rentals in its answer are dropped. A circuit breaker stops the
 * calls for a while after some failures in a row.
 */
export function createHttpEsign(target: SignedTarget): EsignService {
  const post = createSignedPost(target);
  const through = createBreaker({ isFault: () => true });
  async function ask<T>(message: object, answer: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    try {
      return await through(async () => {
        const { text } = await post(JSON.stringify(message), { signal });
        return answer.parse(JSON.parse(text));
      }, signal);
    } catch (error) {
      const why = error instanceof PostFailed ? `: ${error.message}` : '';
      throw new EsignUnavailable(`the signing service did not answer sensibly${why}`, {
        cause: error,
      });
    }
  }
  return {
    isRemote: true,

    async list(_db, ledgers) {
      const message = { type: 'envelopes.list', ledgers };
      const { envelopes } = await ask(message, listed, AbortSignal.timeout(LIST_MS));
      return envelopes
        .filter(({ ledger }) => ledgers.includes(ledger))
        .map(({ id, ledger, form, status }): EsignDocument => ({
          ledgerId: ledger,
          formId: uuidOf(id),
          formName: form,
          ...statuses[status],
        }))
        .toSorted((a, b) => a.formName.localeCompare(b.formName));
    },

    async resend(ledger, id) {
      const message = { type: 'envelopes.resend', id, ledger };
      return (await ask(message, sent, AbortSignal.timeout(RESEND_MS))).forms;
    },
  };
}

/** Derives a UUID from the service's own id, always the same. */
function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
