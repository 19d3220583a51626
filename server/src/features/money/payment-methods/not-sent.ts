import { t } from '@gatehouse/language/t';
import { NotSent } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { Refusal } from '#errors/refusal.ts';

/** 503 for the tenant: the gateway did not take the call up, so nothing was charged. */
export function notAvailable({ fault }: NotSent): Refusal {
  return new Refusal(
    503,
    fault?.kind === 'bank_debits_off'
      ? t(
          'Payments by bank account are not available at the moment. You were not charged. Please use a card.',
        )
      : t(
          'Payments are not available at the moment. You were not charged. Please try again in a few minutes.',
        ),
  );
}

/**
 * Raises an alarm once a day for what the operator has to put right; does nothing where the cause
 * passes by itself. Never throws: the answer to the tenant does not depend on it.
 */
export async function alarmOfFault(ctx: Context, { fault }: NotSent): Promise<void> {
  if (fault === null) return;
  const day = ctx.clock.now().toISOString().slice(0, 10);
  try {
    await raiseAlarm(ctx, ctx.db, {
      kind: fault.kind,
      key: `${fault.kind} ${day}`,
      facilityId: null,
      sentence: fault.sentence,
      facts: { day },
    });
  } catch (error) {
    ctx.log.error({ err: error }, 'an alarm about the gateway could not be raised');
  }
}
