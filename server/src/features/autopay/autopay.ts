import type { AutopayUpdateParams } from '@gatehouse/contract/autopay';
import { formTypes } from '@gatehouse/contract/requests';
import type { Context } from '#context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { cardToAchNoticeEmail } from '#emails/staff/card-to-ach-notice.ts';
import type { Caller } from '#http/guard.ts';
import {
  chooseMethod,
  describeMethod,
  saveMethod,
  type PaymentMethodRow,
} from '#features/payment-methods/payment-methods.ts';
import { getRequester } from '#features/requests/requester.ts';
import { fileRequest } from '#features/requests/requests.ts';

/** The autopay of a current rental; `method` is null where it was never set up. */
export type AutopayRow = { ledgerId: string; active: boolean; method: PaymentMethodRow | null };

/** The autopay of each current rental of a tenant record, by unit name. */
export async function findAutopays(db: Database, tenantId: string): Promise<AutopayRow[]> {
  const ledgers = await db
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .leftJoin('autopays', 'autopays.ledger_id', 'ledgers.id')
    .select(['ledgers.id', 'autopays.active', 'autopays.payment_method_id'])
    .where('ledgers.tenant_id', '=', tenantId)
    .where('ledgers.moved_out_on', 'is', null)
    .orderBy('units.name')
    .execute();
  const methods = await db.selectFrom('payment_methods').selectAll().where('tenant_id', '=', tenantId).execute();
  return ledgers.map((ledger) => ({
    ledgerId: ledger.id,
    active: ledger.active ?? false,
    method: methods.find((method) => method.id === ledger.payment_method_id) ?? null,
  }));
}

/**
 * Sets the method that autopay charges for a rental and turns autopay on (spec section 4, Payment method flow).
 * Refuses as chooseMethod and saveMethod do.
 */
export async function setAutopay(
  ctx: Context,
  { tenantIds, timeZone }: Pick<Caller, 'tenantIds' | 'timeZone'>,
  ledgerId: string,
  params: AutopayUpdateParams,
): Promise<AutopayRow> {
  const ledger = await ctx.db
    .selectFrom('ledgers')
    .select(['id', 'tenant_id'])
    .where('id', '=', ledgerId)
    .where('tenant_id', 'in', tenantIds)
    .executeTakeFirstOrThrow();
  const chosen = await chooseMethod(ctx, ledger.tenant_id, timeZone, params);
  const method = chosen.saved === null ? await saveMethod(ctx, ledger.tenant_id, chosen.instrument) : chosen.saved;
  const values = { payment_method_id: method.id, active: true, updated_at: ctx.clock.now() };
  await ctx.db.transaction().execute(async (trx) => {
    // Locked, so that of two switches at once one is told.
    const before = await trx
      .selectFrom('autopays')
      .select(['active', 'payment_method_id'])
      .where('ledger_id', '=', ledger.id)
      .forUpdate()
      .executeTakeFirst();
    await trx
      .insertInto('autopays')
      .values({ ledger_id: ledger.id, ...values })
      .onConflict((conflict) => conflict.column('ledger_id').doUpdateSet(values))
      .execute();
    if (before?.active && method.type === 'ach')
      await tellStaffOfSwitch(ctx, trx, ledger, before.payment_method_id, method);
  });
  return { ledgerId: ledger.id, active: true, method };
}

/** The card-to-ACH notice: decided here, whatever `switchingFromCcToAch` and `webhookData` say (design section 5). */
async function tellStaffOfSwitch(
  ctx: Context,
  trx: DatabaseTransaction,
  ledger: { id: string; tenant_id: string },
  beforeId: string,
  after: PaymentMethodRow,
): Promise<void> {
  const before = await trx
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', beforeId)
    .where('tenant_id', '=', ledger.tenant_id)
    .executeTakeFirstOrThrow();
  if (before.type === 'ach') return;
  await fileRequest(ctx, trx, {
    kind: formTypes.cardToAch,
    requester: await getRequester(trx, [ledger.tenant_id], ledger.id),
    asker: null,
    facts: { from: describeMethod(before), to: describeMethod(after) },
    email: cardToAchNoticeEmail,
  });
}
