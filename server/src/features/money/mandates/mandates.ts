import { createHash } from 'node:crypto';
import { MANDATE_VERSION, mandateText } from '@gatehouse/contract/mandate';
import { toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { MandateEnd } from '#db/tables.ts';
import type { PaymentMethodRow } from '#features/money/payment-methods/payment-methods.ts';

/** Whose consent is for what; null for a user or an origin that was not recorded. */
export type NewMandate = {
  ledger: { id: string; unitName: string; facilityName: string; cardFeeCents: number };
  method: Pick<PaymentMethodRow, 'id' | 'type' | 'last_four' | 'fingerprint'>;
  userId: string | null;
  origin: { ip: string | null; userAgent: string | null };
  at: Date;
};

/**
 * Keeps the tenant's consent, word for word, with when and from where it came. Answers its id and
 * text.
 */
export async function insertMandate(
  db: Database,
  { ledger, method, userId, origin, at }: NewMandate,
): Promise<{ id: string; text: string }> {
  const text = mandateText({
    unitName: ledger.unitName,
    facilityName: ledger.facilityName,
    method: method.type,
    lastFour: method.last_four,
    cardFee: toDollars(ledger.cardFeeCents),
  });
  const { id } = await db
    .insertInto('mandates')
    .values({
      ledger_id: ledger.id,
      user_id: userId,
      payment_method_id: method.id,
      fingerprint: method.fingerprint,
      text_version: MANDATE_VERSION,
      text,
      text_hash: createHash('sha256').update(text).digest(),
      agreed_at: at,
      ip: origin.ip,
      user_agent: origin.userAgent,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, text };
}

/**
 * Ends whatever consent of the ledgers still lives; to be called with their autopays locked or by
 * the statement's way.
 */
export async function endMandates(
  trx: DatabaseTransaction,
  ledgerIds: string[],
  { reason, at, userId = null }: { reason: MandateEnd; at: Date; userId?: string | null },
): Promise<void> {
  await sql`
    INSERT INTO mandate_ends (mandate_id, ended_at, reason, user_id)
    SELECT m.id, ${at}::timestamptz, ${reason}, ${userId}::uuid FROM mandates m
    WHERE m.ledger_id = ANY(${ledgerIds}::uuid[]) AND NOT EXISTS (SELECT FROM mandate_ends e WHERE e.mandate_id = m.id)
    ON CONFLICT (mandate_id) DO NOTHING`.execute(trx);
}

/**
 * Whether autopay `a` may charge: it is on, under a consent to that method for that rental, which
 * has not ended.
 */
export const hasLiveMandate = sql<boolean>`(a.active
  AND EXISTS (SELECT FROM mandates consent WHERE consent.id = a.mandate_id AND consent.ledger_id = a.ledger_id
    AND consent.payment_method_id = a.payment_method_id)
  AND NOT EXISTS (SELECT FROM mandate_ends ended WHERE ended.mandate_id = a.mandate_id))`;

/**
 * Whether autopay `a` of ledger `l` charges its method `pm`: staff do not hold the ledger, and its
 * bank did not refuse it.
 */
export const chargesMethod = sql<boolean>`(${hasLiveMandate} AND NOT l.is_on_hold AND pm.refused_at IS NULL)`;
