import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '#db/database.ts';

/**
 * The invariants of safety.md section 3 that hold after anything. I1: every balance is the sum of its entries, and what is
 * owed less what is to the credit, never both; every cent of a payment or credit settles a charge, is left or was taken
 * back; paid-through is the day before the first open period, and every billed period has its rent once. I2: what the
 * gateway captured and what the ledgers posted are the same; what a bank took back is taken back, once; what was
 * imported or taken at the counter no gateway of ours captured. I4: nothing owed or
 * left is below 0. I5: at most one open intent a ledger. I8: an autopay item is paid once. I9: the audit trail's chain is whole. `owner` reads
 * across tenants.
 */
export async function expectSoundBooks(owner: Database): Promise<void> {
  const { rows } = await sql<{ fault: string }>`
    WITH settled AS (
      SELECT credit_entry_id, charge_entry_id, sum(amount_cents) AS cents FROM allocations GROUP BY 1, 2
    ), used AS (
      SELECT credit_entry_id, sum(cents) AS cents, min(cents) AS least FROM settled GROUP BY 1
    ), back AS (
      SELECT rev.payment_entry_id, sum(e.amount_cents) AS cents, count(*) FILTER (WHERE rev.reason = 'return') AS returns
      FROM reversals rev JOIN entries e ON e.id = rev.entry_id GROUP BY 1
    )
    SELECT 'I1 balance of ' || l.id AS fault FROM ledgers l
    WHERE l.balance_cents <> (SELECT coalesce(sum(amount_cents), 0) FROM entries e WHERE e.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 charges and credits of ' || l.id FROM ledgers l
    WHERE l.balance_cents <> (SELECT coalesce(sum(owed_cents), 0) FROM open_charges c WHERE c.ledger_id = l.id)
      - (SELECT coalesce(sum(left_cents), 0) FROM open_credits c WHERE c.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 open charges beside open credits of ' || ledger_id FROM open_charges
    WHERE ledger_id IN (SELECT ledger_id FROM open_credits)
    UNION ALL
    SELECT 'I4 what is left of ' || e.id FROM entries e
    LEFT JOIN used ON used.credit_entry_id = e.id LEFT JOIN back ON back.payment_entry_id = e.id
    WHERE e.amount_cents < 0
      AND (-e.amount_cents < coalesce(used.cents, 0) + coalesce(back.cents, 0) OR coalesce(used.least, 0) < 0)
    UNION ALL
    SELECT 'I4 what is owed of ' || e.id FROM entries e
    JOIN (SELECT charge_entry_id, sum(cents) AS cents FROM settled GROUP BY 1) s ON s.charge_entry_id = e.id
    WHERE s.cents > e.amount_cents OR s.cents < 0
    UNION ALL
    SELECT 'I2 captured, not posted: ' || g.reference FROM sandbox_gateway.charges g
    WHERE g.outcome IN ('captured', 'accepted') AND g.amount_cents <> (
      SELECT coalesce(-sum(e.amount_cents), 0) FROM payments p JOIN entries e ON e.id = p.entry_id
      WHERE p.intent_id = g.reference)
    UNION ALL
    SELECT 'I2 posted, not captured: ' || p.intent_id FROM payments p
    JOIN payment_intents i ON i.id = p.intent_id AND i.initiator IN ('tenant', 'autopay')
    WHERE NOT EXISTS (
      SELECT FROM sandbox_gateway.charges g WHERE g.reference = p.intent_id AND g.outcome IN ('captured', 'accepted'))
    UNION ALL
    SELECT 'I2 refunded, not taken back: ' || f.id FROM refunds f
    WHERE f.way IN ('gateway', 'dashboard') AND (f.state = 'succeeded') <> EXISTS (
      SELECT FROM sandbox_gateway.refunds g
      WHERE g.reference = CASE f.way WHEN 'gateway' THEN f.id ELSE replace(f.gateway_id, 'sandbox_re_', '')::uuid END)
    UNION ALL
    SELECT 'I2 refunds and disputes of ' || i.id FROM payment_intents i
    JOIN (SELECT p.intent_id,
        sum(e.amount_cents) FILTER (WHERE rev.reason = 'refund') AS refunded,
        sum(e.amount_cents) FILTER (WHERE rev.reason = 'chargeback') AS disputed
      FROM payments p JOIN reversals rev ON rev.payment_entry_id = p.entry_id JOIN entries e ON e.id = rev.entry_id
      GROUP BY 1) taken ON taken.intent_id = i.id
    WHERE i.initiator <> 'import' AND NOT EXISTS (SELECT FROM disputes d WHERE d.intent_id = i.id AND d.state = 'won') AND (
      coalesce(taken.refunded, 0) <> (SELECT coalesce(sum(f.posted_cents), 0) FROM refunds f WHERE f.intent_id = i.id)
      OR coalesce(taken.disputed, 0) <> (SELECT coalesce(sum(d.posted_cents), 0) FROM disputes d WHERE d.intent_id = i.id))
    UNION ALL
    SELECT 'I2 return of ' || p.entry_id FROM payments p
    JOIN payment_intents i ON i.id = p.intent_id
    JOIN entries e ON e.id = p.entry_id
    LEFT JOIN back ON back.payment_entry_id = p.entry_id
    WHERE CASE i.state WHEN 'returned' THEN coalesce(back.cents, 0) <> -e.amount_cents OR back.returns > 1
      ELSE coalesce(back.returns, 0) > 0 END
    UNION ALL
    SELECT 'paid-through of ' || l.id FROM ledgers l
    WHERE l.paid_through <> coalesce(
      (SELECT min(due_on) - 1 FROM open_charges c WHERE c.ledger_id = l.id AND c.category = 'rent'), l.billed_through)
    UNION ALL
    SELECT 'billed-through of ' || l.id FROM ledgers l
    JOIN (SELECT ledger_id, max(period_end) AS last FROM billed_periods GROUP BY 1) billed ON billed.ledger_id = l.id
    WHERE l.billed_through <> billed.last
    UNION ALL
    SELECT 'billed period of ' || coalesce(b.ledger_id, c.ledger_id) || ' on ' || coalesce(b.due_on, c.due_on)
    FROM billed_periods b
    FULL JOIN (SELECT ledger_id, due_on, period_end FROM charges WHERE category = 'rent') c
      ON c.ledger_id = b.ledger_id AND c.due_on = b.due_on AND c.period_end = b.period_end
    -- A rate of 0 bills a period without a charge.
    WHERE b.ledger_id IS NULL OR (c.ledger_id IS NULL AND b.rate_cents > 0)
    UNION ALL
    SELECT 'overlapping periods of ' || a.ledger_id FROM billed_periods a
    JOIN billed_periods b ON b.ledger_id = a.ledger_id AND b.due_on > a.due_on AND b.due_on <= a.period_end
    UNION ALL
    SELECT 'I5 open intents of ' || ledger_id FROM payment_intent_ledgers
    WHERE state IN ('submitted', 'unknown') GROUP BY ledger_id HAVING count(*) > 1
    UNION ALL
    SELECT 'state of ' || i.id FROM payment_intents i JOIN payment_intent_ledgers p ON p.intent_id = i.id
    WHERE p.state <> i.state
    UNION ALL
    SELECT 'amount of ' || i.id FROM payment_intents i
    WHERE i.amount_cents <> (SELECT sum(amount_cents) FROM payment_intent_ledgers p WHERE p.intent_id = i.id)
    UNION ALL
    SELECT 'I8 autopay item ' || autopay_item_id FROM payment_intents
    WHERE autopay_item_id IS NOT NULL AND state NOT IN ('declined', 'never_sent', 'returned')
    GROUP BY autopay_item_id HAVING count(*) > 1
    UNION ALL
    SELECT 'I9 audit event at place ' || position FROM (
      SELECT e AS event, e.position, e.hash, lag(e.hash, 1, c.base_hash) OVER (ORDER BY e.position) AS before
      FROM audit_events e, audit_chain c WHERE e.position IS NOT NULL) chained
    WHERE hash <> sha256(before || convert_to(audit_content(event), 'UTF8'))`.execute(owner);
  expect(rows.map(({ fault }) => fault)).toEqual([]);
}
