import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '#db/database.ts';

/**
 * The invariants of safety.md section 3 that hold after anything: I1 every balance is the sum of its entries and, without
 * credits, of its open charges, and paid-through is the day before the first open period; I2 what the gateway captured and what the ledgers posted are the same; I4 no balance
 * below 0; I5 at most one open intent a ledger. `owner` reads across tenants.
 */
export async function expectSoundBooks(owner: Database): Promise<void> {
  const { rows } = await sql<{ fault: string }>`
    SELECT 'I1 balance of ' || l.id AS fault FROM ledgers l
    WHERE l.balance_cents <> (SELECT coalesce(sum(amount_cents), 0) FROM entries e WHERE e.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 charges of ' || l.id FROM ledgers l
    WHERE l.balance_cents <> (SELECT coalesce(sum(owed_cents), 0) FROM open_charges c WHERE c.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 allocations of ' || e.id FROM entries e
    WHERE e.kind = 'payment'
      AND -e.amount_cents <> (SELECT coalesce(sum(amount_cents), 0) FROM allocations a WHERE a.credit_entry_id = e.id)
    UNION ALL
    SELECT 'I2 captured, not posted: ' || g.reference FROM sandbox_gateway.charges g
    WHERE g.outcome IN ('captured', 'accepted') AND g.amount_cents <> (
      SELECT coalesce(-sum(e.amount_cents), 0) FROM payments p JOIN entries e ON e.id = p.entry_id WHERE p.intent_id = g.reference)
    UNION ALL
    SELECT 'I2 posted, not captured: ' || p.intent_id FROM payments p
    WHERE NOT EXISTS (SELECT FROM sandbox_gateway.charges g WHERE g.reference = p.intent_id AND g.outcome IN ('captured', 'accepted'))
    UNION ALL
    SELECT 'paid-through of ' || l.id FROM ledgers l
    WHERE l.paid_through <> coalesce(
      (SELECT min(due_on) - 1 FROM open_charges c WHERE c.ledger_id = l.id AND c.category = 'rent'),
      (SELECT max(period_end) FROM charges c WHERE c.ledger_id = l.id AND c.category = 'rent'), l.paid_through)
    UNION ALL
    SELECT 'I4 below zero: ' || id FROM ledgers WHERE balance_cents < 0
    UNION ALL
    SELECT 'I5 open intents of ' || ledger_id FROM payment_intent_ledgers
    WHERE state IN ('submitted', 'unknown') GROUP BY ledger_id HAVING count(*) > 1
    UNION ALL
    SELECT 'state of ' || i.id FROM payment_intents i JOIN payment_intent_ledgers p ON p.intent_id = i.id WHERE p.state <> i.state`.execute(
    owner,
  );
  expect(rows.map(({ fault }) => fault)).toEqual([]);
}
