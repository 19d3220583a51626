import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { DifferenceClass } from '#db/tables.ts';

/** A payment as one side has it, in cents; `state` in that side's own words. */
type Side = { amountCents: number; state: string; at: string };

/**
 * Where our books and the gateway's list differ about a reference; null is what a side does not
 * have.
 */
export type Difference = {
  class: DifferenceClass;
  reference: string;
  ours: Side | null;
  theirs: Side | null;
};

/** The part of time that is compared, from its first instant to before its last. */
export type Window = { from: Date; to: Date };

/** Rows that one statement compares. */
const BATCH = 5000;

/**
 * What the gateway has in the window that our books have not, or have otherwise: `gateway_only`,
 * `amount`, `status`. The gateway's lines are in gateway_lines; a decline there moved no money and
 * needs none of ours.
 */
export async function* findInLines(
  db: Database,
  reconciliationId: string,
  window: Window,
): AsyncGenerator<Difference> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(place) AS last FROM gateway_lines WHERE reconciliation_id = ${reconciliationId}`.execute(
    db,
  );
  for (let after = -1; after < (rows[0]?.last ?? -1); after += BATCH) {
    yield* await compare(
      db,
      sql`line.reconciliation_id = ${reconciliationId}
      AND line.place > ${after} AND line.place <= ${after + BATCH} AND line.at >= ${window.from} AND line.at < ${window.to}`,
    );
  }
}

/** Whether a reference's line still differs from our books in its status. */
export async function isStatusDifferent(
  db: Database,
  reconciliationId: string,
  reference: string,
): Promise<boolean> {
  const found = await compare(
    db,
    sql`line.reconciliation_id = ${reconciliationId} AND line.reference = ${reference}`,
  );
  return found.some((difference) => difference.class === 'status');
}

/**
 * By joins of the whole batch: a subquery a row would read every entry for each where the tables
 * have no statistics yet.
 */
async function compare(db: Database, which: RawBuilder<unknown>): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    SELECT kind.class, line.reference, ${ourSide} AS ours, ${theirSide} AS theirs
    FROM (
      SELECT line.place, line.reference, line.amount_cents, line.standing, line.at, intent.id AS intent_id,
        intent.state, intent.return_code, intent.created_at, coalesce(-sum(e.amount_cents)::bigint, intent.amount_cents) AS our_cents
      FROM gateway_lines line
      LEFT JOIN payment_intents intent ON intent.id = ${uuidOf}
      LEFT JOIN payments p ON p.intent_id = intent.id
      LEFT JOIN entries e ON e.id = p.entry_id
      WHERE ${which}
      GROUP BY line.reconciliation_id, line.place, intent.id
    ) line
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN line.intent_id IS NULL THEN CASE WHEN line.standing <> 'declined' THEN 'gateway_only' END
        WHEN NOT ${isSameStatus} THEN 'status'
        WHEN line.standing <> 'declined' AND line.our_cents <> line.amount_cents THEN 'amount'
      END AS class
    ) kind
    WHERE kind.class IS NOT NULL
    ORDER BY line.place`.execute(db);
  return rows;
}

const uuidOf = sql`CASE WHEN line.reference ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN line.reference::uuid END`;

/** What the entries of the payment say, not the intent. */
const ourSide = sql`CASE WHEN line.intent_id IS NOT NULL THEN json_build_object(
  'amountCents', line.our_cents, 'state', line.state, 'at', line.created_at) END`;
const theirSide = sql`json_build_object('amountCents', line.amount_cents, 'state', line.standing, 'at', line.at)`;

/**
 * Which of the gateway's words fits our state. A bank debit that is settled may have no word of its
 * own there, and one that is open here is not known yet. One without a return code was taken back
 * because the gateway did not collect it.
 */
const isSameStatus = sql`CASE line.state
  WHEN 'succeeded' THEN line.standing IN ('succeeded', 'settled')
  WHEN 'pending' THEN line.standing = 'pending'
  WHEN 'settled' THEN line.standing IN ('settled', 'succeeded')
  WHEN 'returned' THEN line.standing = 'returned' OR (line.return_code IS NULL AND line.standing = 'declined')
  ELSE line.state IN ('declined', 'never_sent') AND line.standing = 'declined' END`;

/** The references that the gateway lists more than once, one of them in the window: `duplicate`. */
export async function findDuplicates(
  db: Database,
  reconciliationId: string,
  window: Window,
): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    SELECT 'duplicate' AS class, line.reference,
      (SELECT json_build_object('amountCents', intent.amount_cents, 'state', intent.state, 'at', intent.created_at)
        FROM payment_intents intent WHERE intent.id = ${uuidOf}) AS ours,
      json_build_object('amountCents', sum(line.amount_cents), 'state', count(*) || ' times', 'at', max(line.at)) AS theirs
    FROM gateway_lines line
    WHERE line.reconciliation_id = ${reconciliationId} AND line.standing <> 'declined'
    GROUP BY line.reference
    HAVING count(*) > 1 AND max(line.at) >= ${window.from} AND min(line.at) < ${window.to}
    ORDER BY line.reference`.execute(db);
  return rows;
}

/** What our books posted in the window and the gateway does not list at all: `ledger_only`. */
export async function* findUnlisted(
  db: Database,
  reconciliationId: string,
  window: Window,
): AsyncGenerator<Difference> {
  // The instants as text: a Date would lose their microseconds, and the walk its place.
  let after: { at: string; id: string } | null = { at: window.from.toISOString(), id: NO_ID };
  while (after !== null) {
    const { at, id }: { at: string; id: string } = after;
    const { rows } = await sql<{ id: string; at: string; isListed: boolean; ours: Side }>`
      SELECT intent.id, intent.created_at::text AS at,
        EXISTS (SELECT FROM gateway_lines line
          WHERE line.reconciliation_id = ${reconciliationId} AND line.reference = intent.id::text) AS "isListed",
        json_build_object('amountCents', intent.amount_cents, 'state', intent.state, 'at', intent.created_at) AS ours
      FROM payment_intents intent
      WHERE (intent.created_at, intent.id) > (${at}::timestamptz, ${id}::uuid) AND intent.created_at < ${window.to}
        AND (intent.state IN ('succeeded', 'pending', 'settled')
          OR (intent.state = 'returned' AND intent.return_code IS NOT NULL))
        -- Our gateway knows nothing of what was imported or taken at the counter.
        AND intent.initiator IN ('tenant', 'autopay')
      ORDER BY intent.created_at, intent.id LIMIT ${BATCH}`.execute(db);
    for (const { id: reference, isListed, ours } of rows)
      if (!isListed) yield { class: 'ledger_only', reference, ours, theirs: null };
    after = rows.length < BATCH ? null : rows.at(-1)!;
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
