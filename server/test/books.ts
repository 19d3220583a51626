import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '#db/database.ts';
import { walkBooks } from '#features/money/books-check/check-all-books.ts';
import { testClock } from './test-day.ts';

/**
 * The invariants that hold after every test: I1 to I6 and I8 of every ledger, as the nightly check
 * finds them, and those that the product cannot check itself: I2 against the sandbox gateway's own
 * tables, without payments that were imported or taken at the counter; and I9, the audit trail. I7
 * depends on the time, which tests set. `owner` reads across tenants.
 */
export async function expectSoundBooks(owner: Database): Promise<void> {
  const faults: string[] = [];
  for await (const batch of walkBooks(owner, testClock.now()))
    for (const { ledgerId, invariant, sentence } of batch.faults)
      if (invariant !== 'I7') faults.push(`${invariant} of ${ledgerId}: ${sentence}`);
  expect(faults).toEqual([]);
  const { rows } = await sql<{ fault: string }>`
    SELECT 'I2 captured, not posted: ' || g.reference AS fault FROM sandbox_gateway.charges g
    WHERE g.outcome IN ('captured', 'accepted') AND g.amount_cents <> (
      SELECT coalesce(-sum(e.amount_cents), 0) FROM payments p JOIN entries e ON e.id = p.entry_id
      WHERE p.intent_id = g.reference)
    UNION ALL
    SELECT 'I2 posted, not captured: ' || p.intent_id FROM payments p
    JOIN payment_intents i ON i.id = p.intent_id AND i.initiator IN ('tenant', 'autopay')
    WHERE NOT EXISTS (
      SELECT FROM sandbox_gateway.charges g WHERE g.reference = p.intent_id AND g.outcome IN ('captured', 'accepted'))
      -- Staff took back what the gateway did not collect.
      AND NOT (i.state = 'returned' AND i.return_code IS NULL)
    UNION ALL
    SELECT 'I2 refunded, not taken back: ' || f.id FROM refunds f
    WHERE f.way IN ('gateway', 'dashboard') AND (f.state = 'succeeded') <> EXISTS (
      SELECT FROM sandbox_gateway.refunds g
      WHERE g.reference = CASE f.way WHEN 'gateway' THEN f.id ELSE replace(f.gateway_id, 'sandbox_re_', '')::uuid END)
    UNION ALL
    SELECT 'I2 refunds of ' || i.id FROM payment_intents i
    WHERE i.initiator <> 'import' AND (SELECT coalesce(sum(f.posted_cents), 0) FROM refunds f WHERE f.intent_id = i.id) <> (
      SELECT coalesce(sum(e.amount_cents), 0) FROM taken_back rev JOIN entries e ON e.id = rev.entry_id
      WHERE rev.reason = 'refund' AND NOT EXISTS (
          SELECT FROM refund_parts part JOIN refunds f ON f.id = part.refund_id
          WHERE part.reversal_entry_id = e.id AND f.ledger_id IS NOT NULL)
        AND rev.payment_entry_id IN (
        SELECT entry_id FROM payments p WHERE p.intent_id = i.id
        UNION ALL SELECT part.credit_entry_id FROM disputes d JOIN dispute_parts part ON part.dispute_id = d.id
        WHERE d.intent_id = i.id))
    UNION ALL
    SELECT 'I2 dispute ' || d.gateway_id FROM disputes d
    LEFT JOIN dispute_parts part ON part.dispute_id = d.id
    LEFT JOIN entries back ON back.id = part.reversal_entry_id
    LEFT JOIN entries credit ON credit.id = part.credit_entry_id
    GROUP BY d.id
    HAVING coalesce(sum(back.amount_cents), 0) <> d.posted_cents
      OR coalesce(-sum(credit.amount_cents), 0) <> CASE d.state WHEN 'won' THEN d.posted_cents ELSE 0 END
    UNION ALL
    SELECT 'I9 audit event at place ' || position FROM (
      SELECT e AS event, e.position, e.hash, lag(e.hash, 1, c.base_hash) OVER (ORDER BY e.position) AS before
      FROM audit_events e, audit_chain c WHERE e.position IS NOT NULL) chained
    WHERE hash <> sha256(before || convert_to(audit_content(event), 'UTF8'))`.execute(owner);
  expect(rows.map(({ fault }) => fault)).toEqual([]);
}
