import { randomUUID } from 'node:crypto';
import { addCredit, moveCredit, payOutCredit, reverseCredit } from '@gatehouse/contract/credits';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import { owedAgainOn } from '#features/base/ledgers/owed-since.ts';
import type { LedgerBooks } from '#features/base/ledgers/postings.ts';
import { refundedEmail } from '#emails/refunded.ts';
import type { NewReversal, OpenCredit } from '#features/base/ledgers/books.ts';
import { lockBooks, readBooksWithPayments } from '#features/base/ledgers/postings.ts';
import { findOwed } from '#features/service/gate-access/owed.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import { noteInDrawer } from '#features/money/drawers/note.ts';
import { isUnderRefund, refundWords } from '#features/money/payments/refunds.ts';
import {
  findStaffLedgers,
  getStaffLedgers,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { owedOnOf, postChanges, postChangesWithMail } from './post-changes.ts';

/**
 * `credits.add`: posts a credit that settles what is owed; what is left of it stays on the ledger.
 */
export const addCreditTo = workOf(addCredit, async (on, { ledgerId, amount, description }) => {
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { id, tenantId, facilityId } = ledger!;
  const [books] = await lockBooks(on.trx, [id]);
  const creditId = randomUUID();
  const credit = { kind: 'credit' as const, id: creditId, cents: toCents(amount), description };
  const ledgers = await postChangesWithMail(on, [
    { ledger: ledger!, books: books!, changes: [credit] },
  ]);
  return {
    reply: { creditId, ledgers },
    about: {
      facilityId,
      tenantId,
      ledgerIds: [id],
      details: { credit: creditId, amount: String(amount) },
    },
  };
});

/**
 * `credits.move`: takes the oldest open credits of a ledger back as far as they settle nothing, and
 * posts each of them to another ledger of the same tenant record. Refuses with 422 more than is
 * open, a ledger of another record, and a credit of a bank debit that has not settled, with 409 a
 * credit of which a refund is under way.
 */
export const moveCreditTo = workOf(moveCredit, async (on, { fromLedgerId, toLedgerId, amount }) => {
  const [from, to] = await getStaffLedgers(on, [fromLedgerId, toLedgerId]);
  if (from!.tenantId !== to!.tenantId)
    throw new Refusal(422, 'A credit can be moved between the rentals of one tenant record only.');
  const books = await lockBooks(on.trx, [from!.id, to!.id]);
  const booksOf = (ledgerId: string) => books.find((one) => one.ledgerId === ledgerId)!;
  const reversals = await moveOut(on, booksOf(from!.id), toCents(amount), to!.unitName);
  const description = `Moved from unit ${from!.unitName}`;
  // One for each, so that what was paid can be followed to what it settles.
  const credits = reversals.map(({ id, cents }) => ({
    kind: 'credit' as const,
    id: randomUUID(),
    cents,
    description,
    movedBy: id,
  }));
  const ledgers = await postChangesWithMail(on, [
    { ledger: from!, books: booksOf(from!.id), changes: reversals },
    { ledger: to!, books: booksOf(to!.id), changes: credits },
  ]);
  return {
    reply: { creditIds: credits.map(({ id }) => id), ledgers },
    about: {
      facilityId: from!.facilityId,
      tenantId: from!.tenantId,
      ledgerIds: [from!.id, to!.id],
      details: {
        credit: credits.map(({ id }) => id).join(' '),
        amount: String(amount),
      },
    },
  };
});

/**
 * The reversals of this many cents of what settles nothing on the ledger, the oldest credit first.
 */
async function moveOut(
  on: StaffWork,
  books: LedgerBooks,
  cents: number,
  toUnit: string,
): Promise<NewReversal[]> {
  const openCents = sumOf(books.credits);
  if (cents > openCents)
    throw new Refusal(
      422,
      `Unit ${books.unitName} has an open credit of ${formatMoney(toDollars(openCents))} only.`,
    );
  const description = `Moved to unit ${toUnit}`;
  const reversals = await takeOut(on, books.credits, cents, { reason: 'moved', description });
  const pending = await on.trx
    .selectFrom('payments')
    .innerJoin('payment_intents', 'payment_intents.id', 'intent_id')
    .select('entry_id')
    .where(
      'entry_id',
      'in',
      reversals.map(({ payment }) => payment.id),
    )
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (pending !== undefined)
    throw new Refusal(
      422,
      `The credit of unit ${books.unitName} is of a bank debit that has not settled yet. Move it when it has.`,
    );
  return reversals;
}

/**
 * The reversals of this many cents of open credits, the oldest first. Refuses with 409 one of which
 * a refund is under way.
 */
async function takeOut(
  on: StaffWork,
  credits: OpenCredit[],
  cents: number,
  why: { reason: 'moved' | 'refund'; description: string },
): Promise<NewReversal[]> {
  const open = credits.toSorted((a, b) => a.position - b.position);
  const [books] = await readBooksWithPayments(
    on.trx,
    open.map(({ id }) => id),
  );
  let rest = cents;
  const reversals = open.flatMap(({ id, leftCents }): NewReversal[] => {
    const part = Math.min(rest, leftCents);
    rest -= part;
    if (part === 0) return [];
    const payment = books!.payments.find((one) => one.id === id)!;
    return [{ kind: 'reversal', id: randomUUID(), payment, cents: part, ...why }];
  });
  await refuseUnderRefund(
    on,
    reversals.map(({ payment }) => payment.id),
  );
  return reversals;
}

function sumOf(credits: OpenCredit[]): number {
  return credits.reduce((sum, { leftCents }) => sum + leftCents, 0);
}

/**
 * `credits.payOut`: takes the oldest open credits of a ledger back that no gateway can give back,
 * in cash or by check, with a number and a mail to the tenant. Refuses with 422 more than they are,
 * with 409 a credit of which a refund is under way.
 */
export const payOutCreditOf = workOf(payOutCredit, async (on, asked) => {
  const { amount, way, number = null } = asked;
  const [ledger] = await getStaffLedgers(on, [asked.ledgerId]);
  const { id, unitName, tenantId, facilityId } = ledger!;
  const [books] = await lockBooks(on.trx, [id]);
  const credits = await withoutGateway(on, books!.credits);
  const most = sumOf(credits);
  const cents = amount === undefined ? most : toCents(amount);
  if (most === 0 || cents > most)
    throw new Refusal(
      422,
      `Unit ${unitName} has a credit of ${formatMoney(toDollars(most))} that can be paid out. What was paid by card or from a bank account is refunded.`,
    );
  const row = await on.trx
    .insertInto('refunds')
    .values({
      ledger_id: id,
      amount_cents: cents,
      state: 'succeeded',
      posted_cents: cents,
      reason: 'a credit paid out',
      way,
      check_number: number,
      ...(on.call.isPreview && { receipt_number: randomUUID() }),
      created_at: on.now,
      updated_at: on.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { description, way: inWords } = refundWords(row, '');
  const reversals = await takeOut(on, credits, cents, { reason: 'refund', description });
  const ledgers = await postChanges(on, [{ ledger: ledger!, books: books!, changes: reversals }]);
  await on.trx
    .insertInto('refund_parts')
    .values(reversals.map((one) => ({ reversal_entry_id: one.id, refund_id: row.id })))
    .execute();
  if (way === 'cash')
    await noteInDrawer(
      on,
      ledger!,
      reversals.map((one) => ({ entryId: one.id, type: 'cash', cents: -one.cents })),
    );
  const owed = await findOwed(on.ctx, on.trx, [id]);
  await mailTenantOf(on, id, 'payment_changed', ({ name, phone, firstName }) =>
    refundedEmail({
      firstName,
      facilityName: name,
      facilityPhone: phone,
      number: row.receipt_number,
      of: null,
      cents,
      way: inWords,
      units: [{ unitName, cents }],
      owedOn: null,
      owed,
    }),
  );
  return {
    reply: {
      refundId: on.call.isPreview ? null : row.id,
      receiptNumber: on.call.isPreview ? null : row.receipt_number,
      amount: toDollars(cents),
      ledgers,
    },
    about: {
      facilityId,
      tenantId,
      ledgerIds: [id],
      details: { refund: row.id, way, amount: String(toDollars(cents)) },
    },
  };
});

/** Those that are no payment of our gateway's, which goes back the way it came. */
async function withoutGateway(on: StaffWork, credits: OpenCredit[]): Promise<OpenCredit[]> {
  if (credits.length === 0) return [];
  const rows = await on.trx
    .selectFrom('payments')
    .innerJoin('payment_intents', 'payment_intents.id', 'intent_id')
    .select('entry_id')
    .where(
      'entry_id',
      'in',
      credits.map(({ id }) => id),
    )
    .where('initiator', 'in', ['tenant', 'autopay'])
    .execute();
  const atGateway = new Set(rows.map(({ entry_id }) => entry_id));
  return credits.filter(({ id }) => !atGateway.has(id));
}

async function refuseUnderRefund({ trx }: StaffWork, entryIds: string[]): Promise<void> {
  if (await isUnderRefund(trx, entryIds))
    throw new Refusal(
      409,
      'A refund of this credit is under way. Please try again in some minutes.',
    );
}

/**
 * `credits.reverse`: takes back what is left of a credit or waiver, with the waiver of the late fee
 * whose cause had gone with it. Refuses with 404 an id that is
 * no credit, with 422 one of which nothing is left, and with 409 one of which a refund is under
 * way.
 */
export const reverseCreditOf = workOf(reverseCredit, async (on, { creditId }) => {
  const row = await on.trx
    .selectFrom('credits')
    .select(['ledger_id', 'is_assigned'])
    .where('entry_id', '=', creditId)
    .executeTakeFirst();
  const [ledger] = row === undefined ? [] : await findStaffLedgers(on, [row.ledger_id]);
  if (ledger === undefined) throw new Refusal(404, `There is no credit ${creditId}.`);
  if (row!.is_assigned)
    throw new Refusal(422, 'This went to another tenant with the rental, who is charged for it.');
  await lockBooks(on.trx, [ledger.id]);
  const feeWaiverIds = await findFeeWaivers(on, creditId);
  const [books] = await readBooksWithPayments(on.trx, [creditId, ...feeWaiverIds]);
  const left = books!.payments.filter(({ leftCents }) => leftCents > 0);
  const payment = left.find(({ id }) => id === creditId);
  const ofFee = left.find(({ id }) => id !== creditId);
  if (payment === undefined)
    throw new Refusal(422, 'Nothing is left of this credit: it was taken back or moved.');
  await refuseUnderRefund(on, [creditId]);
  const owedOn = owedAgainOn(calendarDateIn(ledger.timeZone, on.now));
  const changes = [payment, ...(ofFee === undefined ? [] : [ofFee])].map((one): NewReversal => ({
    kind: 'reversal',
    id: randomUUID(),
    payment: one,
    cents: one.leftCents,
    reason: 'mistake',
    description: 'Recorded by mistake',
    owedOn,
  }));
  const parts = [{ ledger, books: books!, changes }];
  const ledgers = await postChangesWithMail(on, parts);
  const amount = toDollars(payment.leftCents);
  return {
    reply: {
      reversalId: changes[0]!.id,
      amount,
      lateFee: ofFee === undefined ? null : toDollars(ofFee.leftCents),
      owedOn: owedOnOf(parts, ledgers),
      ledgers,
    },
    about: {
      facilityId: ledger.facilityId,
      tenantId: ledger.tenantId,
      ledgerIds: [ledger.id],
      details: { credit: creditId, amount: String(amount) },
    },
  };
});

/** The waivers of the late fees of a rent that were posted with a waiver of the rent. */
async function findFeeWaivers({ trx }: StaffWork, creditId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT own.id FROM credits waiver JOIN entries e ON e.id = waiver.entry_id
    JOIN charges fee ON fee.late_for = waiver.charge_entry_id
    JOIN credits of_fee ON of_fee.charge_entry_id = fee.entry_id
    JOIN entries own ON own.id = of_fee.entry_id AND own.created_at = e.created_at
    WHERE waiver.entry_id = ${creditId}`.execute(trx);
  return rows.map(({ id }) => id);
}
