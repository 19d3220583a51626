import { sql } from 'kysely';
import type { Context, DisputedPayment } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { autopayOffEmail } from '#emails/autopay-off.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { lockAccount } from './accounts.ts';
import { endMandates } from '#features/money/mandates/mandates.ts';

/**
 * What autopay makes of a card payment whose cardholder disputes it, in the transaction that takes
 * it back: the card is marked refused in every entry of the tenant's, autopay ends wherever it is
 * charged until there is a new consent, and the tenant is mailed. It stays so when the dispute is
 * won.
 */
export async function onPaymentDisputed(
  ctx: Context,
  trx: DatabaseTransaction,
  disputed: DisputedPayment,
): Promise<void> {
  const at = ctx.clock.now();
  const { fingerprint } = await trx
    .selectFrom('payment_intents')
    .select('fingerprint')
    .where('id', '=', disputed.id)
    .executeTakeFirstOrThrow();
  if (fingerprint !== null) await lockAccount(trx, fingerprint);
  const { rows: ledgers } = await sql<{ id: string; unitName: string }>`
    WITH refused AS (
      UPDATE payment_methods m SET refused_at = coalesce(m.refused_at, ${at}::timestamptz)
      FROM payment_intents i
      WHERE i.id = ${disputed.id} AND m.tenant_id = i.tenant_id
        AND (m.id = i.payment_method_id OR m.fingerprint = i.fingerprint)
      RETURNING m.id
    ), off AS (
      UPDATE autopays SET active = false, updated_at = ${at}::timestamptz
      WHERE payment_method_id IN (SELECT id FROM refused) AND active RETURNING ledger_id
    )
    SELECT l.id, u.name AS "unitName" FROM off JOIN ledgers l ON l.id = off.ledger_id JOIN units u ON u.id = l.unit_id
    ORDER BY u.name`.execute(trx);
  if (ledgers.length === 0) return;
  await endMandates(
    trx,
    ledgers.map(({ id }) => id),
    { reason: 'disputed', at },
  );
  const unitNames = ledgers.map(({ unitName }) => unitName);
  await queueMail(ctx, trx, {
    to: disputed.email,
    kind: 'autopay',
    tenantId: disputed.tenantId,
    email: () => autopayOffEmail({ ...disputed, unitNames, reason: 'disputed' }),
  });
}
