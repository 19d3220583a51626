import type { UUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { IntentState, MethodType } from '#db/tables.ts';
import { isUsedUp } from '#features/limits/limits.ts';
import { untilWritten, withEffects, type Effects } from '#features/ledgers/postings.ts';

/** A ledger of a payment and what of its balance is paid, in cents; null: all of it. */
export type AskedLine = { ledgerId: string; cents: number | null };

/** A ledger of a payment as one reading found it. */
export type OwedLine = {
  ledgerId: string;
  unitId: string;
  balanceCents: number;
  version: number;
  /** What is paid of the balance. */
  cents: number;
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
  /** The facility's day of the reading. */
  today: string;
  /** Those of the asked ledgers that are current rentals of the tenant record on that day, in id order. */
  lines: OwedLine[];
  /** Recognises the same amounts on the same debt (D3). */
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
  /** In the facility's calendar: a rental that has ended by then is not paid. */
  today: string;
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

/** Reads a debt in one statement. What it answers may be old when it is used: `beginIntent` tells. */
export async function readDebt(db: Database, query: DebtQuery): Promise<Debt> {
  const { tenantId, userId, idempotencyKey, lines, today } = query;
  const ledgerIds = lines.map(({ ledgerId }) => ledgerId);
  const { rows } = await sql<Row>`
    WITH ledger AS (
      SELECT l.id, l.unit_id, l.balance_cents, l.version, coalesce(line.cents, l.balance_cents) AS cents, (
          SELECT e.id FROM entries e WHERE e.ledger_id = l.id AND e.amount_cents > 0 ORDER BY e.position DESC LIMIT 1
        ) AS epoch
      FROM unnest(${ledgerIds}::uuid[], ${lines.map(({ cents }) => cents)}::bigint[]) AS line (ledger_id, cents)
      JOIN ledgers l ON l.id = line.ledger_id
      WHERE l.tenant_id = ${tenantId} AND is_current_on(l.moved_out_on, ${today}::date)
    ), debt AS (
      -- As debtKey of intent.ts reckons it.
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
        'version', version, 'cents', cents) ORDER BY id), '[]') FROM ledger) AS lines,
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
    today,
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
  /** The card or account itself, and of a card until when it is good, `YYYY-MM`; null where that is not known. */
  fingerprint: string | null;
  expiresOn: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The item of the autopay run, where it is one. */
  autopayItemId: string | null;
  /** As `readDebt` found it: the intent is written to this alone. */
  debt: Debt;
  /** What must hold beside; it may lock rows, after the ledgers'. */
  condition?: RawBuilder<boolean>;
  /** Counts towards the limits while the ledgers are as they were read, as `takeLeft` does. */
  count?: (isHeld: RawBuilder<boolean>) => RawBuilder<unknown>;
  /** Written with the intent, each with `intent`, its one row or none, in reach. */
  effects?: Effects;
};

/**
 * TX1 of D2 in one statement: writes the intent (submitted) and its ledgers, if every ledger is still as it was read; they
 * are locked in id order for it. Answers the intent's id, null where something was posted meanwhile, another attempt at
 * the same debt was begun or the condition does not hold (read again), 'blocked' where another open intent has one of the
 * ledgers or the key, or 'used up' where one of the limits is, of which none is counted then.
 */
export async function beginIntent(
  db: Database,
  now: Date,
  intent: NewIntent,
): Promise<UUID | 'blocked' | 'used up' | null> {
  const { lines, debtKey, ofDebt, today } = intent.debt;
  const ledgerIds = lines.map(({ ledgerId }) => ledgerId);
  const cents = lines.map((line) => line.cents);
  const values: RawBuilder<unknown> = sql`${intent.tenantId}::uuid, ${intent.userId}::uuid, ${intent.initiator}::text,
    ${intent.type}::text, ${intent.methodDescription}::text, ${intent.paymentMethodId}::uuid,
    ${intent.tokenVersion}::integer, ${intent.fingerprint}::text,
    ${intent.expiresOn}::text, ${sumOf(cents)}::bigint,
    'submitted', ${intent.idempotencyKey}::text, ${intent.requestHash}::bytea, ${debtKey}::bytea,
    ${(ofDebt?.attempt ?? 0) + 1}::integer, ${intent.autopayItemId}::uuid, ${now}::timestamptz, ${now}::timestamptz`;
  const isHeld = sql<boolean>`(SELECT count(*) FROM held) = ${lines.length}`;
  const isCounted = sql<boolean>`(SELECT count(*) FROM counted) > 0`;
  const count = intent.count ?? (() => sql`SELECT WHERE ${isHeld}`);
  try {
    const { rows } = await sql<{ id: UUID | null; isHeld: boolean; isCounted: boolean }>`
      WITH held AS (
        SELECT l.id FROM ledgers l
        JOIN unnest(${ledgerIds}::uuid[], ${lines.map(({ version }) => version)}::bigint[]) AS read (ledger_id, version)
          ON read.ledger_id = l.id AND read.version = l.version
        WHERE l.tenant_id = ${intent.tenantId} AND is_current_on(l.moved_out_on, ${today}::date)
        ORDER BY l.id FOR NO KEY UPDATE OF l
      ), counted AS (${count(isHeld)}
      ), intent AS (
        INSERT INTO payment_intents (tenant_id, user_id, initiator, type, method_description, payment_method_id,
          token_version, fingerprint, method_expires_on, amount_cents, state, idempotency_key, request_hash, debt_key, attempt, autopay_item_id, created_at, updated_at)
        SELECT ${values} WHERE ${isCounted} AND ${intent.condition ?? sql<boolean>`true`}
        RETURNING id
      ), part AS (
        INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
        SELECT intent.id, part.ledger_id, part.cents, 'submitted'
        FROM intent, unnest(${ledgerIds}::uuid[], ${cents}::bigint[]) AS part (ledger_id, cents)
      ) ${withEffects(intent.effects ?? [])}
      SELECT (SELECT id FROM intent) AS id, ${isHeld} AS "isHeld", ${isCounted} AS "isCounted"`.execute(db);
    const { id, ...was } = rows[0]!;
    return was.isHeld && !was.isCounted ? 'used up' : id;
  } catch (error) {
    if (isUsedUp(error)) return 'used up';
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== '23505') throw error;
    if (constraint === 'one_open_intent' || constraint === 'payment_intents_key') return 'blocked';
    if (constraint === 'payment_intents_debt') return null;
    throw error;
  }
}

/** Reads and begins until it is written or refused; `begin` answers null to have it read again. */
export async function untilBegun<Answer>(
  db: Database,
  ledgerIds: string[],
  begin: (db: Database) => Promise<Answer | null>,
): Promise<Answer> {
  let answer: Answer | null = null;
  await untilWritten(db, sql`SELECT unnest(${ledgerIds}::uuid[])`, async (on) => {
    answer = await begin(on);
    return answer !== null;
  });
  return answer!;
}

function sumOf(cents: number[]): number {
  return cents.reduce((total, one) => total + one, 0);
}
