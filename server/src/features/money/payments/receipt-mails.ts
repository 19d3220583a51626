import { settlementAdvice } from '@gatehouse/contract/gate-access';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { receiptEmail } from '#emails/receipt.ts';
import { findGateWaits } from '#features/service/gate-access/settlement.ts';
import { mailedAddress, queueMail } from '#features/base/mail/mail.ts';

/** What of a payment has come back since. A credit that was moved to another rental has not. */
const takenBack = sql<number>`(
  SELECT least(coalesce(sum(back.cents), 0), -entries.amount_cents)::bigint FROM money_back back
  WHERE back.payment_entry_id = payments.entry_id AND back.reason <> 'moved')`;

/** To which address a mail with receipts goes, and what they are of. */
type QueuedReceipts = {
  to: string;
  receipts: { ledgerId: string; unitName: string; number: string; cents: number }[];
};

/**
 * Queues the receipts of a posted payment to the tenant's address on file: one mail, with the PDF
 * of each rental (features/base/mail/papers.ts). Answers to whom and of what it is; null where
 * nothing is posted or the address is none.
 */
export async function queueReceiptMails(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
): Promise<QueuedReceipts | null> {
  const payments = await trx
    .selectFrom('payments')
    .innerJoin('payment_intents as intent', 'intent.id', 'payments.intent_id')
    .innerJoin('entries', 'entries.id', 'payments.entry_id')
    .innerJoin('ledgers', 'ledgers.id', 'payments.ledger_id')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('tenants', 'tenants.id', 'ledgers.tenant_id')
    .innerJoin('facilities', 'facilities.id', 'tenants.facility_id')
    .select([
      'payments.entry_id',
      'payments.ledger_id',
      'payments.description as method',
      'payments.receipt_number as number',
    ])
    .select(takenBack.as('taken_back_cents'))
    .select([
      'entries.amount_cents',
      'entries.posted_on as postedOn',
      'intent.state',
      'intent.initiator',
    ])
    .select(['units.name as unitName', 'tenants.first_name as firstName'])
    .select(mailedAddress(sql.ref('tenants.id')).as('email'))
    .select('tenants.id as tenantId')
    .select(['facilities.name as facilityName'])
    .where('payments.intent_id', '=', intentId)
    .orderBy('entries.position')
    .execute();
  const pending = payments.filter(({ state }) => state === 'pending');
  const waits =
    pending.length === 0
      ? new Map<string, never>()
      : await findGateWaits(
          ctx,
          trx,
          pending.map(({ ledger_id }) => ledger_id),
        );
  const [first] = payments;
  if (first === undefined) return null;
  const { entry_id, email: to, tenantId, firstName, facilityName, postedOn } = first;
  const { method, initiator } = first;
  const adviceOf = (ledgerId: string) => {
    const wait = waits.get(ledgerId);
    return wait === undefined ? null : settlementAdvice(wait.date);
  };
  const email = () =>
    receiptEmail({
      firstName,
      facilityName,
      postedOn,
      method,
      isPending: pending.length > 0,
      isAutopay: initiator === 'autopay',
      takenBackCents: payments.reduce((sum, { taken_back_cents }) => sum + taken_back_cents, 0),
      receipts: payments.map(({ unitName, number, ledger_id, amount_cents }) => ({
        unitName,
        number,
        cents: -amount_cents,
        gateAdvice: adviceOf(ledger_id),
      })),
    });
  const mailId = await queueMail(ctx, trx, {
    to,
    kind: 'receipt',
    tenantId,
    email,
    paper: { kind: 'receipt', id: entry_id },
  });
  if (mailId === null) return null;
  const receipts = payments.map(({ ledger_id, unitName, number, amount_cents }) => ({
    ledgerId: ledger_id,
    unitName,
    number,
    cents: -amount_cents,
  }));
  return { to, receipts };
}
