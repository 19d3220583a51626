import { calendarDateIn } from '@gatehouse/contract/dates';
import type { RequestReceipt } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { moveOutRequestEmail } from '#emails/staff/move-out-request.ts';
import { getRequester } from '#features/service/requests/requester.ts';
import { askStaff } from '#features/service/requests/requests.ts';
import type { Caller } from '#http/guard.ts';
import type { Origin } from '#http/routes.ts';
import { Refusal } from '#errors/refusal.ts';

/** What the tenant may say of it; nothing must be said. */
type MoveOut = { ledgerId: string; date?: string | undefined; reason?: string | undefined };

/**
 * Notifies the facility that the tenant wants to move out of a rental. Refuses with 422 a day that
 * is already past there.
 */
export async function requestMoveOut(
  ctx: Context,
  caller: Caller,
  { ledgerId, date, reason }: MoveOut,
  { idempotencyKey, origin }: { idempotencyKey: string | undefined; origin: Origin },
): Promise<RequestReceipt> {
  if (date !== undefined && date < calendarDateIn(caller.timeZone, ctx.clock.now()))
    throw new Refusal(422, t('Move-out date must be today or later.'));
  const given = { date: date ?? null, reason: reason || null };
  const { userId } = caller;
  const request = {
    kind: 'move_out' as const,
    requester: await getRequester(ctx.db, caller.tenantIds, ledgerId),
    asker: { userId, idempotencyKey },
    given,
    facts: given,
    email: moveOutRequestEmail,
  };
  return askStaff(ctx, request, (trx, { reference }) =>
    audit(ctx, trx, origin, [
      { kind: 'move_out_requested', userId, ledgerId, details: { reference } },
    ]),
  );
}
