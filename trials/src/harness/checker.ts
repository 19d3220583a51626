import type { Database } from '@gatehouse/server/src/db/database.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { mustBe, type Figure } from './proof.ts';
import type { ChargeLine, JournalLine } from './simulator/journal.ts';
import type { DriverLine } from './driver.ts';

/**
 * The three records that are compared: the gateway's captures, the answers to tenants, the books.
 */
export type Evidence = { owner: Database; journal: JournalLine[]; lines: DriverLine[] };

type Intent = { id: string; state: string; cents: number; key: string | null; postedCents: number };
type Posted = { ledgerId: string; cents: number; receiptNumber: string };

/** Counts payments that were lost, doubled, credited without a capture, or stayed open. */
export async function checkPayments({ owner, journal, lines }: Evidence): Promise<Figure[]> {
  const captures = capturesOf(journal);
  const intents = await readIntents(owner);
  const posted = await readPosted(owner);
  const lost = lines.filter(
    (line) => line.kind === 'answered' && line.receipt !== null && !isPosted(line, posted),
  );
  const unposted = captures.filter(
    ({ reference, amountCents }) => intents.get(reference)?.postedCents !== amountCents,
  );
  const captured = new Map(captures.map((line) => [line.reference, line.amountCents]));
  const credited = [...intents.values()].filter(
    ({ id, postedCents }) => postedCents !== (captured.get(id) ?? 0),
  );
  const open = [...intents.values()].filter(
    ({ state }) => state === 'submitted' || state === 'unknown',
  );
  return [
    mustBe('acknowledged and not in the books (lost)', lost.length, 0),
    mustBe('captured and not posted (lost)', unposted.length, 0),
    mustBe('captured twice under one key (doubled)', doubled(captures, intents), 0),
    mustBe('captured twice under one reference (doubled)', captures.length - captured.size, 0),
    mustBe('credited without a capture of as much', credited.length, 0),
    mustBe('payments still open at the end', open.length, 0),
    ...(await checkInvariants(owner)),
  ];
}

/** What the gateway took from a card or an account. */
export function capturesOf(journal: JournalLine[]): ChargeLine[] {
  return journal
    .filter((line) => line.kind === 'charge')
    .filter(({ outcome }) => outcome !== 'declined');
}

function doubled(captures: ChargeLine[], intents: Map<string, Intent>): number {
  const keys = captures.flatMap(({ reference }) => intents.get(reference)?.key ?? []);
  return keys.length - new Set(keys).size;
}

/** Those of the gateway: what staff took at the counter is in no journal of it. */
async function readIntents(owner: Database): Promise<Map<string, Intent>> {
  const { rows } = await sql<Intent>`
    SELECT i.id, i.state, i.amount_cents AS cents, i.idempotency_key AS key, coalesce(p.cents, 0)::bigint AS "postedCents"
    FROM payment_intents i LEFT JOIN (
      SELECT p.intent_id, sum(-e.amount_cents) AS cents FROM payments p JOIN entries e ON e.id = p.entry_id GROUP BY 1
    ) p ON p.intent_id = i.id
    WHERE i.initiator <> 'staff'`.execute(owner);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readPosted(owner: Database): Promise<Map<string, Posted>> {
  const { rows } = await sql<Posted>`
    SELECT p.ledger_id AS "ledgerId", -e.amount_cents AS cents, p.receipt_number AS "receiptNumber"
    FROM payments p JOIN entries e ON e.id = p.entry_id`.execute(owner);
  return new Map(rows.map((row) => [row.receiptNumber, row]));
}

/** Whether each line of a receipt that a tenant holds is in the books (I6). */
function isPosted(
  { receipt }: Extract<DriverLine, { kind: 'answered' }>,
  posted: Map<string, Posted>,
): boolean {
  return receipt!.payments.every(({ receiptNumber, ledgerId, amount }) => {
    const row = posted.get(receiptNumber);
    return row?.ledgerId === ledgerId && row.cents === Math.round(amount * 100);
  });
}

/** The invariants (safety section 3), each as its number of violations. */
export async function checkInvariants(owner: Database): Promise<Figure[]> {
  const { rows } = await sql<{ what: string; faults: number }>`
    SELECT 'I1 balances that are not the sum of their entries' AS what, count(*)::int AS faults FROM ledgers l
    WHERE l.balance_cents <> (SELECT coalesce(sum(amount_cents), 0) FROM entries e WHERE e.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 balances that are not open charges less open credits', count(*)::int FROM ledgers l
    WHERE l.balance_cents <> (
        SELECT coalesce(sum(e.amount_cents - coalesce(a.cents, 0)), 0)
        FROM charges c JOIN entries e ON e.id = c.entry_id
        LEFT JOIN LATERAL (
          SELECT sum(amount_cents) AS cents FROM allocations WHERE charge_entry_id = c.entry_id
        ) a ON true
        WHERE c.ledger_id = l.id AND e.amount_cents > coalesce(a.cents, 0)
      ) - (SELECT coalesce(sum(left_cents), 0) FROM open_credits c WHERE c.ledger_id = l.id)
    UNION ALL
    SELECT 'I1 rentals that owe since another day than is stored', count(*)::int FROM ledgers l
    WHERE l.owed_since IS DISTINCT FROM (
      SELECT min(c.due_on) FROM charges c JOIN entries e ON e.id = c.entry_id
      WHERE c.ledger_id = l.id AND e.amount_cents > (
        SELECT coalesce(sum(amount_cents), 0) FROM allocations WHERE charge_entry_id = c.entry_id))
    UNION ALL
    SELECT 'I2 payments posted twice to one ledger', count(*)::int FROM (
      SELECT FROM payments GROUP BY intent_id, ledger_id HAVING count(*) > 1) twice
    UNION ALL
    SELECT 'I3 rights of the serving role to change or delete an entry', count(*)::int
    FROM unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS verb
    WHERE has_table_privilege('gatehouse_work', 'entries', verb)
    UNION ALL
    SELECT 'I3 entries that were changed after they were written', count(*)::int FROM entries e
    WHERE e.xmin::text <> coalesce((SELECT c.xmin::text FROM charges c WHERE c.entry_id = e.id),
      (SELECT p.xmin::text FROM payments p WHERE p.entry_id = e.id), e.xmin::text)
    UNION ALL
    SELECT 'I4 balances below 0 without a credit', count(*)::int FROM ledgers l
    WHERE l.balance_cents < 0 AND NOT EXISTS (SELECT FROM open_credits c WHERE c.ledger_id = l.id)
    UNION ALL
    SELECT 'I5 ledgers with two open payments', count(*)::int FROM (
      SELECT FROM payment_intent_ledgers WHERE state IN ('submitted', 'unknown') GROUP BY ledger_id HAVING count(*) > 1) open
    UNION ALL
    SELECT 'I5 payments whose ledgers have another state', count(*)::int
    FROM payment_intents i JOIN payment_intent_ledgers p ON p.intent_id = i.id WHERE p.state <> i.state
    UNION ALL
    SELECT 'I7 payments unknown for more than 15 minutes', count(*)::int FROM payment_intents
    WHERE state = 'unknown' AND updated_at < ${testClock.now()}::timestamptz - interval '15 minutes'
    UNION ALL
    SELECT 'I8 autopay items twice for one due date', count(*)::int FROM (
      SELECT FROM autopay_items GROUP BY ledger_id, due_on HAVING count(*) > 1) twice`.execute(
    owner,
  );
  return rows.map(({ what, faults }) => mustBe(what, faults, 0));
}
