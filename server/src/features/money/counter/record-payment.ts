import { createHash, randomUUID } from 'node:crypto';
import { recordPayment } from '@gatehouse/contract/counter-payments';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import type { VerbBody } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import { noteInDrawer } from '#features/money/drawers/note.ts';
import { unwaivedCents } from '#features/base/ledgers/rules.ts';
import { lockBooks, type LedgerBooks } from '#features/base/ledgers/postings.ts';
import { waiverOfRest, type NewPayment } from '#features/base/ledgers/books.ts';
import { queueReceiptMails } from '#features/money/payments/receipt-mails.ts';
import {
  getStaffLedgers,
  type StaffLedger,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { dayOfPayment, findPreventedFees, type PreventedFee } from './came-earlier.ts';
import { postChanges, postChangesWithMail } from './post-changes.ts';

type Part = { ledger: StaffLedger; books: LedgerBooks; cents: number };

/**
 * `payments.record`: posts a counter payment with its own intent, so that receipt, history
 * and reports are those of any payment, and mails the receipts. What a payment under way at the
 * gateway will settle counts as paid. One that came earlier counts from its day, and waives the
 * late fees that it would have prevented where that is asked for. Refuses with 422 ledgers of
 * several tenant records, and more than is owed in all unless it is prepaid; a day as
 * `dayOfPayment` says.
 */
export const recordPaymentFor = workOf(recordPayment, async (on, payment) => {
  const ledgers = await getStaffLedgers(on, payment.ledgerIds);
  const { tenantId, facilityId } = ledgers[0]!;
  if (ledgers.some((ledger) => ledger.tenantId !== tenantId))
    throw new Refusal(422, 'One payment can be for the rentals of one tenant record only.');
  const books = await lockBooks(
    on.trx,
    ledgers.map(({ id }) => id),
  );
  const owing = ledgers.map((ledger) => ({
    ledger,
    books: books.find((one) => one.ledgerId === ledger.id)!,
  }));
  const day = await dayOfPayment(on, ledgers[0]!, payment.on);
  const parts = spread(
    owing,
    await readUnderWay(on, ledgers),
    toCents(payment.amount),
    payment.isPrepaid ?? false,
  );
  const intentId = randomUUID();
  const receiptNumber = await insertIntent(on, { intentId, tenantId, payment, parts });
  const payments = parts.map(({ cents }, index): NewPayment => ({
    kind: 'payment',
    id: randomUUID(),
    cents,
    intentId,
    description: descriptionOf(payment),
    receiptNumber: parts.length === 1 ? receiptNumber : `${receiptNumber}-${index + 1}`,
  }));
  const prevented: PreventedFee[] = [];
  for (const [index, { books: own }] of parts.entries())
    prevented.push(...(await findPreventedFees(on, own, payments[index]!, day)));
  const waived = payment.waivesFees === true ? prevented : [];
  const changes = parts.map((part, index) => ({
    ...part,
    changes: [
      ...waived
        .filter(({ ledgerId }) => ledgerId === part.ledger.id)
        .map((fee) => waiverOfRest(fee)),
      payments[index]!,
    ],
  }));
  // Its receipt says what was paid, and nothing of what was waived.
  const touched = await (waived.length > 0 ? postChangesWithMail : postChanges)(
    on,
    changes,
    new Map(payments.map(({ id }) => [id, day])),
  );
  await noteInDrawer(
    on,
    ledgers[0]!,
    payments.map(({ id, cents }) => ({ entryId: id, type: payment.type, cents })),
    day,
  );
  await queueReceiptMails(on.ctx, on.trx, intentId);
  const numberOf = (number: string) => (on.call.isPreview ? null : number);
  return {
    reply: {
      receiptNumber: numberOf(receiptNumber),
      on: day,
      payments: payments.map((one, index) => ({
        ledgerId: parts[index]!.ledger.id,
        amount: toDollars(one.cents),
        receiptNumber: numberOf(one.receiptNumber),
      })),
      prevented: prevented.map((fee) => ({
        ledgerId: fee.ledgerId,
        chargeId: fee.id,
        description: fee.description,
        dueOn: fee.dueOn,
        amount: toDollars(unwaivedCents(fee)),
        isWaived: payment.waivesFees === true,
      })),
      ledgers: touched,
    },
    about: {
      facilityId,
      tenantId,
      ledgerIds: parts.map(({ ledger }) => ledger.id),
      details: {
        receipt: receiptNumber,
        amount: String(payment.amount),
        ...(payment.on !== undefined && { on: day }),
        ...(waived.length > 0 && { waived: waived.map(({ id }) => id).join(' ') }),
      },
    },
  };
});

type UnderWay = { ledgerId: string; cents: number; method: string };

/** What the gateway may have captured for the ledgers, of which nothing is posted yet. */
async function readUnderWay({ trx }: StaffWork, ledgers: StaffLedger[]): Promise<UnderWay[]> {
  return trx
    .selectFrom('payment_intent_ledgers as part')
    .innerJoin('payment_intents as intent', 'intent.id', 'part.intent_id')
    .select([
      'part.ledger_id as ledgerId',
      'part.amount_cents as cents',
      'intent.method_description as method',
    ])
    .where('part.state', 'in', ['submitted', 'unknown'])
    .where(
      'part.ledger_id',
      'in',
      ledgers.map(({ id }) => id),
    )
    .execute();
}

/** What each ledger gets, in the order given; a ledger that gets nothing is left out. */
function spread(
  owing: Omit<Part, 'cents'>[],
  underWay: UnderWay[],
  cents: number,
  isPrepaid: boolean,
): Part[] {
  let rest = cents;
  const parts = owing.map((one) => {
    const open = underWay.find(({ ledgerId }) => ledgerId === one.ledger.id)?.cents ?? 0;
    const part = Math.min(rest, Math.max(0, one.books.balanceCents - open));
    rest -= part;
    return { ...one, cents: part };
  });
  if (rest > 0 && !isPrepaid) throw new Refusal(422, tooMuch(cents - rest, underWay));
  parts[0]!.cents += rest;
  return parts.filter((part) => part.cents > 0);
}

function tooMuch(owedCents: number, underWay: UnderWay[]): string {
  const [first] = underWay;
  const beside =
    first === undefined
      ? ''
      : `, beside a payment of ${formatMoney(toDollars(first.cents))} by ${first.method} that is being confirmed`;
  return `${formatMoney(toDollars(owedCents))} is owed in all${beside}. Prepaid, the rest stays as a credit.`;
}

/** Answers the receipt number. A preview takes none out of the sequence. */
async function insertIntent(
  { trx, call, now }: StaffWork,
  {
    intentId,
    tenantId,
    payment,
    parts,
  }: { intentId: string; tenantId: string; payment: VerbBody<typeof recordPayment>; parts: Part[] },
): Promise<string> {
  const { rows } = await sql<{ receiptNumber: string }>`
    INSERT INTO payment_intents (id, tenant_id, initiator, type, method_description, amount_cents, state, debt_key, attempt,
      receipt_number, created_at, updated_at, told_at)
    VALUES (${intentId}, ${tenantId}, 'staff', ${payment.type}, ${descriptionOf(payment)}, ${toCents(payment.amount)},
      'succeeded', ${createHash('sha256').update(`staff|${intentId}`).digest()}, 1,
      ${call.isPreview ? intentId : sql`nextval('receipt_numbers')::text`}, ${now}, ${now}, ${now})
    RETURNING receipt_number AS "receiptNumber"`.execute(trx);
  await trx
    .insertInto('payment_intent_ledgers')
    .values(
      parts.map(({ ledger, cents }) => ({
        intent_id: intentId,
        ledger_id: ledger.id,
        amount_cents: cents,
        state: 'succeeded' as const,
      })),
    )
    .execute();
  return rows[0]!.receiptNumber;
}

/** How it was paid, as the tenant reads it. */
function descriptionOf({ type, number = '' }: VerbBody<typeof recordPayment>): string {
  return { cash: 'Cash', check: `Check ${number}`, moneyOrder: `Money order ${number}` }[type];
}
