import { randomUUID, type UUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { IntentState, MethodType } from '#db/tables.ts';

/** A ledger of a payment and what of its balance is paid, in cents; null: all of it. */
export type AskedLine = { ledgerId: string; cents: number | null };

/** A ledger of a payment as one reading found it. */
export type OwedLine = {
  ledgerId: string;
  unitId: string;
  balanceCents: number;
  /** What is paid of the balance. */
  cents: number;
  /** The facility's least payment of a part of the balance. */
  leastCents: number;
};

/** An intent before this one, as far as it decides what this one means. */
export type FoundIntent = {
  id: string;
  state: IntentState;
  createdAt: Date;
  attempt: number;
  declineMessage: string | null;
  requestHash: Buffer | null;
};

/** What is owed and what came before, all of one instant. */
export type Debt = {
  /**
   * Those of the asked ledgers that are rentals of the tenant record, current on that day, in id
   * order.
   */
  lines: OwedLine[];
  /** Recognises the same amounts on the same debt. */
  debtKey: Buffer;
  /** The live intent under the same Idempotency-Key. */
  ofKey: FoundIntent | undefined;
  /** The newest intent for the same debt. */
  ofDebt: FoundIntent | undefined;
  /** An open intent has one of the ledgers. */
  isBlocked: boolean;
};

/** Who asks to pay what. Without a user, as in an autopay run, there is no key either. */
export type DebtQuery = {
  tenantId: string;
  userId: string | null;
  idempotencyKey: string | null;
  lines: AskedLine[];
  /** In the facility's calendar: a rental that has ended by then is not paid. Null: any is. */
  today: string | null;
};

type Row = {
  lines: OwedLine[];
  debtKey: string | null;
  earlier: (Omit<FoundIntent, 'createdAt' | 'requestHash'> & {
    createdAt: string;
    requestHash: string | null;
    isOfKey: boolean;
    isOfDebt: boolean;
    isOpen: boolean;
  })[];
};

/** Reads a debt in one statement, for an intent with the ledgers locked. */
export async function readDebt(db: Database, query: DebtQuery): Promise<Debt> {
  const { tenantId, userId, idempotencyKey, lines, today } = query;
  const ledgerIds = lines.map(({ ledgerId }) => ledgerId);
  const { rows } = await sql<Row>`
    WITH ledger AS (
      SELECT l.id, l.unit_id, l.balance_cents, coalesce(line.cents, l.balance_cents) AS cents,
        f.least_payment_cents, (
          SELECT e.id FROM entries e WHERE e.ledger_id = l.id AND e.amount_cents > 0 ORDER BY e.position DESC LIMIT 1
        ) AS epoch
      FROM unnest(${ledgerIds}::uuid[], ${lines.map(({ cents }) => cents)}::bigint[]) AS line (ledger_id, cents)
      JOIN ledgers l ON l.id = line.ledger_id
      JOIN units u ON u.id = l.unit_id
      JOIN facilities f ON f.id = u.facility_id
      WHERE l.tenant_id = ${tenantId} AND (${today}::date IS NULL OR is_current_on(l.moved_out_on, ${today}::date))
    ), debt AS (
      -- As debtKey of intent.ts computes it.
      SELECT sha256(convert_to(${tenantId}::text || '|' ||
        string_agg(id || ':' || cents || ':' || coalesce(epoch::text, 'none'), '|' ORDER BY id), 'UTF8')) AS key
      FROM ledger
    ), earlier AS (
      -- A union, because three conditions joined by OR would read every payment there ever was.
      SELECT id FROM debt, LATERAL (SELECT id FROM payment_intents WHERE debt_key = debt.key ORDER BY attempt DESC LIMIT 1) d
      UNION
      SELECT id FROM payment_intents
      WHERE user_id = ${userId}::uuid AND idempotency_key = ${idempotencyKey} AND state <> 'never_sent'
      UNION
      SELECT intent_id FROM payment_intent_ledgers
      WHERE ledger_id = ANY(${ledgerIds}::uuid[]) AND state IN ('submitted', 'unknown')
    )
    SELECT
      (SELECT coalesce(json_agg(json_build_object('ledgerId', id, 'unitId', unit_id, 'balanceCents', balance_cents,
        'cents', cents, 'leastCents', least_payment_cents) ORDER BY id), '[]') FROM ledger) AS lines,
      (SELECT encode(key, 'hex') FROM debt) AS "debtKey",
      (SELECT coalesce(json_agg(json_build_object('id', i.id, 'state', i.state, 'createdAt', i.created_at,
          'attempt', i.attempt, 'declineMessage', i.decline_message, 'requestHash', encode(i.request_hash, 'hex'),
          'isOfKey', coalesce(i.idempotency_key = ${idempotencyKey} AND i.user_id = ${userId}::uuid
            AND i.state <> 'never_sent', false),
          'isOfDebt', coalesce(i.debt_key = (SELECT key FROM debt), false),
          'isOpen', i.state IN ('submitted', 'unknown')) ORDER BY i.attempt DESC), '[]')
        FROM payment_intents i WHERE i.id IN (SELECT id FROM earlier)) AS earlier`.execute(db);
  const { lines: found, debtKey, earlier } = rows[0]!;
  const intents = earlier.map(({ createdAt, requestHash, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt),
    requestHash: requestHash === null ? null : Buffer.from(requestHash, 'hex'),
  }));
  return {
    lines: found,
    debtKey: Buffer.from(debtKey ?? '', 'hex'),
    ofKey: intents.find((row) => row.isOfKey),
    ofDebt: intents.find((row) => row.isOfDebt),
    isBlocked: intents.some((row) => row.isOpen),
  };
}

/** An intent to write. */
export type NewIntent = {
  tenantId: string;
  userId: string | null;
  initiator: 'tenant' | 'autopay';
  type: MethodType;
  methodDescription: string;
  /** The saved method, where it is one. */
  paymentMethodId: string | null;
  /** The saved method's, as read together with its token. */
  tokenVersion: number | null;
  /**
   * The card or account itself, and of a card until when it is good, `YYYY-MM`; null where that is
   * not known.
   */
  fingerprint: string | null;
  expiresOn: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The item of the autopay run, where it is one. */
  autopayItemId: string | null;
  /** As `readDebt` found it since the ledgers were locked. */
  debt: Debt;
};

/**
 * Writes an intent (submitted) and its ledgers, which the transaction holds since before it read
 * the debt (TX1). Answers the intent's id.
 */
export async function insertIntent(
  trx: DatabaseTransaction,
  now: Date,
  intent: NewIntent,
): Promise<UUID> {
  const { lines, debtKey, ofDebt } = intent.debt;
  const id = randomUUID();
  const cents = lines.map((line) => line.cents);
  await sql`
      WITH intent AS (
        INSERT INTO payment_intents (id, tenant_id, user_id, initiator, type, method_description, payment_method_id,
          token_version, fingerprint, method_expires_on, amount_cents, state, idempotency_key, request_hash, debt_key,
          attempt, autopay_item_id, created_at, updated_at)
        VALUES (${id}, ${intent.tenantId}, ${intent.userId}, ${intent.initiator}, ${intent.type},
          ${intent.methodDescription}, ${intent.paymentMethodId}, ${intent.tokenVersion}, ${intent.fingerprint},
          ${intent.expiresOn}, ${cents.reduce((total, one) => total + one, 0)}, 'submitted', ${intent.idempotencyKey},
          ${intent.requestHash}, ${debtKey}, ${(ofDebt?.attempt ?? 0) + 1}, ${intent.autopayItemId}, ${now}, ${now})
      )
      INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
      SELECT ${id}::uuid, ledger_id, cents, 'submitted'
      FROM unnest(${lines.map(({ ledgerId }) => ledgerId)}::uuid[], ${cents}::bigint[]) AS part (ledger_id, cents)`.execute(
    trx,
  );
  return id;
}

/**
 * Whether a transaction failed because another open intent has one of its ledgers or the same
 * Idempotency-Key, which may be on other ledgers.
 */
export function isBlocked(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return (
    code === '23505' && (constraint === 'one_open_intent' || constraint === 'payment_intents_key')
  );
}
