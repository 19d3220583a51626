import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { IntentState, Tables } from '#db/tables.ts';
import { doEach } from '#context/each.ts';
import { queueReceiptMails } from './receipt-mails.ts';
import { notifyStaffOfAch } from './ach-notice.ts';

const AT_ONCE = 200;

/**
 * Notifies those whom a payment concerns, soon after it has ended and exactly once, each in one
 * transaction: the facility's staff of a bank payment, the tenant by a receipt and of what autopay
 * tried. The intents without `told_at` are the queue; several processes share it. What fails is
 * tried again the next time; throws in the end when something did.
 */
export async function notifyOfPayments(ctx: Context): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM payment_intents
    WHERE told_at IS NULL AND state NOT IN ('submitted', 'unknown', 'never_sent')
    ORDER BY updated_at LIMIT ${AT_ONCE}`.execute(ctx.db);
  await doEach(rows, { atOnce: 1, what: 'payments could not be notified of' }, ({ id }) =>
    ctx.db.transaction().execute((trx) => tellOf(ctx, trx, id)),
  );
}

type Unnotified = {
  tenant_id: string;
  type: Tables['payment_intents']['type'];
  method_description: string;
  state: IntentState;
  initiator: string;
};

async function tellOf(ctx: Context, trx: DatabaseTransaction, intentId: string): Promise<void> {
  const { rows } = await sql<Unnotified>`
    SELECT tenant_id, type, method_description, state, initiator FROM payment_intents
    WHERE id = ${intentId} AND told_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`.execute(trx);
  const [intent] = rows;
  if (intent === undefined) return;
  if (intent.state !== 'declined') {
    if (intent.type === 'ach') await notifyStaffOfAch(ctx, trx, intentId, intent);
    // Of one that came back at once the tenant has been mailed already.
    if (intent.state !== 'returned') await queueReceiptMails(ctx, trx, intentId);
  }
  for (const listener of ctx.paymentListeners) await listener.notifying(ctx, trx, intentId);
  await trx
    .updateTable('payment_intents')
    .set({ told_at: ctx.clock.now() })
    .where('id', '=', intentId)
    .execute();
}
