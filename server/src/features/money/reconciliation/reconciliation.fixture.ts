import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PaymentGateway, Transaction } from '#adapters/payments/gateway.ts';
import type { DifferenceClass, IntentState } from '#db/tables.ts';
import type { Database } from '#db/database.ts';

/**
 * Payments on both sides, most alike, with as many differences of each class as asked for, all
 * within a day.
 */
export type ReconciliationWorld = {
  /** The differences there are, as `class reference`. */
  expected: Set<string>;
  /** The window that holds all payments. */
  from: Date;
  to: Date;
  /** The gateway's list, to put into a gateway in place of its own. */
  listTransactions: PaymentGateway['listTransactions'];
};

/** Those of payments; refunds and disputes have lists of their own. */
type PaymentClass = Exclude<DifferenceClass, 'refund' | 'dispute'>;

const classes: PaymentClass[] = ['gateway_only', 'ledger_only', 'amount', 'status', 'duplicate'];

const DAY = 86_400_000;
const AT_ONCE = 5000;

/**
 * Writes `clean` payments that both sides have alike and `each` differences of every class (R14),
 * the same for the same seed, all to one ledger. `owner` writes past every check; the ledger's
 * balance is not kept.
 */
export async function makeReconciliationWorld(
  owner: Database,
  { tenantId, ledgerId }: { tenantId: string; ledgerId: string },
  { clean, each, seed, day }: { clean: number; each: number; seed: string; day: string },
): Promise<ReconciliationWorld> {
  const from = new Date(`${day}T00:00:00Z`);
  const count = clean + classes.length * each;
  const faultOf = faultsOf(seed, count, each);
  const pairOf = (index: number) => pairAt(seed, index, count, from, faultOf.get(index));
  for (let start = 0; start < count; start += AT_ONCE) {
    const pairs = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, nth) =>
      pairOf(start + nth),
    );
    await writeOurs(
      owner,
      { tenantId, ledgerId },
      pairs.flatMap(({ ours }) => ours ?? []),
    );
  }
  const expected = new Set(
    [...faultOf].map(([index, fault]) => `${fault} ${referenceOf(seed, index)}`),
  );
  return {
    expected,
    from,
    to: new Date(from.getTime() + DAY),
    async *listTransactions(since, until) {
      for (let index = 0; index < count; index++)
        for (const line of pairOf(index).theirs)
          if (line.at >= since && line.at < until) yield await Promise.resolve(line);
    },
  };
}

/** Which payment has which fault: spread over the day by the seed. */
function faultsOf(seed: string, count: number, each: number): Map<number, PaymentClass> {
  const places = Array.from({ length: count }, (_, index) => ({
    index,
    key: digest(`${seed} place ${index}`),
  }));
  places.sort((a, b) => Buffer.compare(a.key, b.key));
  return new Map(
    places
      .slice(0, classes.length * each)
      .map(({ index }, nth) => [index, classes[nth % classes.length]!]),
  );
}

type Ours = { id: string; cents: number; state: IntentState; at: Date; type: 'creditCard' | 'ach' };
type Pair = { ours: Ours | null; theirs: Transaction[] };

function pairAt(
  seed: string,
  index: number,
  count: number,
  from: Date,
  fault: PaymentClass | undefined,
): Pair {
  const random = digest(`${seed} payment ${index}`);
  const reference = referenceOf(seed, index);
  const cents = 100 + (random.readUInt32BE(0) % 100_000);
  const isDebit = random[4]! % 4 === 0;
  const states = isDebit ? (['pending', 'settled', 'returned'] as const) : (['succeeded'] as const);
  const state = states[random[5]! % states.length]!;
  const at = new Date(from.getTime() + Math.floor((index * (DAY - 60_000)) / count));
  // The gateway's clock is up to five seconds off, and a charge comes up to twenty seconds after
  // its intent.
  const theirAt = new Date(at.getTime() + (random.readUInt16BE(6) % 25_000) - 5000);
  const ours: Ours = { id: reference, cents, state, at, type: isDebit ? 'ach' : 'creditCard' };
  const line: Transaction = { reference, amountCents: cents, standing: state, at: theirAt };
  switch (fault) {
    case undefined:
      return { ours, theirs: [line] };
    case 'gateway_only':
      // The gateway also has charges that were never ours, under references that are no ids of
      // ours.
      return { ours: null, theirs: [line] };
    case 'ledger_only':
      return { ours, theirs: [] };
    case 'amount':
      return { ours, theirs: [{ ...line, amountCents: cents + (random[8]! % 2 === 0 ? 1 : -1) }] };
    case 'status':
      return random[8]! % 2 === 0
        ? { ours, theirs: [{ ...line, standing: state === 'returned' ? 'settled' : 'returned' }] }
        : {
            ours: { ...ours, state: random[9]! % 2 === 0 ? 'declined' : 'never_sent' },
            theirs: [line],
          };
    case 'duplicate':
      return { ours, theirs: [line, { ...line, at: new Date(theirAt.getTime() + 1000) }] };
  }
}

function referenceOf(seed: string, index: number): string {
  const hex = digest(`${seed} reference ${index}`).toString('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const posted: IntentState[] = ['succeeded', 'pending', 'settled', 'returned'];

async function writeOurs(
  owner: Database,
  of: { tenantId: string; ledgerId: string },
  rows: Ours[],
): Promise<void> {
  await sql`
    WITH ours AS (
      SELECT * FROM unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ cents }) => cents)}::bigint[],
        ${rows.map(({ state }) => state)}::text[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ type }) => type)}::text[]
      ) AS ours (id, cents, state, at, type)
    ), intent AS (
      INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
        receipt_number, decline_message, return_code, created_at, updated_at)
      SELECT id, ${of.tenantId}::uuid, type, 'Visa ending in 4242', cents, state, uuid_send(id), 1,
        CASE WHEN state = ANY(${posted}::text[]) THEN nextval('receipt_numbers')::text END,
        CASE WHEN state = 'declined' THEN 'No.' END,
        CASE WHEN state = 'returned' THEN 'R01' END, at, at FROM ours
      RETURNING id, receipt_number
    ), entry AS (
      INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on, created_at)
      SELECT ours.id, ${of.ledgerId}::uuid, t.facility_id, 'payment', -cents, at::date, at
      FROM ours JOIN tenants t ON t.id = ${of.tenantId} WHERE state = ANY(${posted}::text[])
      RETURNING id
    )
    INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
    SELECT entry.id, intent.id, ${of.ledgerId}::uuid, 'Visa ending in 4242', intent.receipt_number
    FROM entry JOIN intent ON intent.id = entry.id`.execute(owner);
}
