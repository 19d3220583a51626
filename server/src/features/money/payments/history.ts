import { toDollars } from '@gatehouse/contract/money';
import type { PastPayment, Payment } from '@gatehouse/contract/payments';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { anyOf } from '#db/any-of.ts';
import type { Database } from '#db/database.ts';
import type { TakenBackReason } from '#db/tables.ts';
import { returnText } from './return-codes.ts';

type Row = {
  ledgerId: string;
  postedOn: string;
  cents: number;
  description: string;
  receiptNumber: string;
  isPending: boolean;
  back: { cents: number; on: string; reason: TakenBackReason; description: string } | null;
};

/** The whole payment history of a ledger of one of the tenant records, newest first. */
export async function findPayments(
  db: Database,
  tenantIds: string[],
  ledgerId: string,
): Promise<Payment[]> {
  const rows = await readPayments(db, tenantIds, [ledgerId]);
  return rows.map(paymentView);
}

/**
 * The payments on the rentals of a tenant record that have ended by the facility's `today`, newest
 * first, each with the unit that its rental ended in.
 */
export async function findPastPayments(
  db: Database,
  tenantId: string,
  today: string,
): Promise<PastPayment[]> {
  const { rows: ended } = await sql<{ id: string; unitName: string }>`
    SELECT l.id, u.name AS "unitName" FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE l.tenant_id = ${tenantId} AND NOT is_current_on(l.moved_out_on, ${today}::date)`.execute(
    db,
  );
  const unitNames = new Map(ended.map(({ id, unitName }) => [id, unitName]));
  const rows = await readPayments(db, [tenantId], [...unitNames.keys()]);
  return rows.map((row) => ({ ...paymentView(row), unitName: unitNames.get(row.ledgerId)! }));
}

async function readPayments(
  db: Database,
  tenantIds: string[],
  ledgerIds: string[],
): Promise<Row[]> {
  // Each of both is read from an index that has a ledger's rows side by side (payments_history,
  // entries_history); joined row by row they would be looked up one by one, all over the tables.
  const { rows } = await sql<Row>`
    WITH paid AS MATERIALIZED (
      SELECT p.entry_id, p.intent_id, p.ledger_id, p.description, p.receipt_number
      FROM payments p WHERE p.ledger_id = ${anyOf(ledgerIds)}
    ), posted AS MATERIALIZED (
      SELECT e.id, e.position, e.posted_on, e.amount_cents FROM entries e
      WHERE e.ledger_id = ${anyOf(ledgerIds)} AND e.kind = 'payment'
    )
    SELECT p.ledger_id AS "ledgerId", e.posted_on AS "postedOn", -e.amount_cents AS cents, p.description, p.receipt_number AS "receiptNumber",
      EXISTS (SELECT FROM payment_intents i WHERE i.id = p.intent_id AND i.state = 'pending') AS "isPending", back.*
    FROM paid p
    JOIN posted e ON e.id = p.entry_id
    LEFT JOIN LATERAL (
      -- What a bank took and has not restored speaks for the payment, whatever was refunded of it; else the newest.
      SELECT json_build_object('cents', sum(took.cents), 'on', max(took.posted_on),
        'reason', (array_agg(took.reason ORDER BY took.position DESC))[1],
        'description', (array_agg(took.description ORDER BY took.position DESC))[1]) AS back
      FROM (
        SELECT back.*, back.reason NOT IN ('refund', 'moved') AS is_undone
        FROM money_back back WHERE back.payment_entry_id = p.entry_id
      ) took
      GROUP BY took.is_undone
      ORDER BY took.is_undone AND sum(took.cents) > 0 DESC, max(took.position) DESC LIMIT 1
    ) back ON true
    WHERE EXISTS (SELECT FROM ledgers l WHERE l.id = p.ledger_id AND l.tenant_id = ANY(${tenantIds}::uuid[]))
    ORDER BY e.position DESC`.execute(db);
  return rows;
}

function paymentView({
  postedOn,
  cents,
  description,
  receiptNumber,
  isPending,
  back,
}: Row): Payment {
  return {
    date: postedOn,
    paymentTypeDescription: description,
    amount: toDollars(cents),
    receiptNumber,
    isPending,
    takenBack: back && {
      date: back.on,
      amount: toDollars(back.cents),
      sentence: sentenceOf(back, cents),
    },
  };
}

/** Of a return, why; why staff refunded is in the mail of the refund. */
function sentenceOf(
  { reason, description, cents }: NonNullable<Row['back']>,
  paidCents: number,
): string {
  switch (reason) {
    case 'return':
      return returnText(description);
    case 'nsf':
      return t('The payment was returned by the bank.');
    case 'chargeback':
      return t('Disputed with the card issuer.');
    case 'won':
      return t(
        'The dispute with the card issuer was decided for the facility: this payment counts again.',
      );
    case 'lost':
      return t('The dispute with the card issuer was decided for you.');
    case 'moved':
      return t('Moved to another unit.');
    case 'correction':
    case 'mistake':
      return t('Corrected by the facility.');
    case 'refund':
      return cents < paidCents ? t('Refunded in part.') : t('Refunded.');
  }
}
