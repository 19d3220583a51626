import type { ReminderChoices, ReminderKind } from '@gatehouse/contract/reminders';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { findTexts } from '#features/service/texts/consents.ts';

/** Which reminders a tenant record of a sign-in gets. */
export async function findChoices(
  ctx: Context,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<ReminderChoices> {
  const { rows } = await sql<Omit<ReminderChoices, 'texts'>>`
    SELECT f.sends_reminders AS "isOffered",
      (SELECT coalesce(json_agg(s.kind ORDER BY s.kind), '[]') FROM reminder_stops s WHERE s.tenant_id = t.id) AS stopped,
      (SELECT u.language FROM users u WHERE u.id = ${userId}) AS language
    FROM tenants t JOIN facilities f ON f.id = t.facility_id WHERE t.id = ${tenantId}`.execute(
    ctx.db,
  );
  return { ...rows[0]!, texts: await findTexts(ctx, tenantId) };
}

/** A kind of reminders of a tenant record; `userId` is null for the holder of a mail's link. */
export type Choice = { tenantId: string; userId: string | null; kind: ReminderKind };

/** Stops the reminders of a kind; a repeat changes nothing. */
export async function stopReminders(
  ctx: Context,
  choice: Choice,
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('reminder_stops')
      .values({ tenant_id: choice.tenantId, kind: choice.kind, stopped_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) await note(ctx, trx, request, 'reminders_stopped', choice);
  });
}

/** Sends the reminders of a kind again; a repeat changes nothing. */
export async function resumeReminders(
  ctx: Context,
  choice: Choice,
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('reminder_stops')
      .where('tenant_id', '=', choice.tenantId)
      .where('kind', '=', choice.kind)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await note(ctx, trx, request, 'reminders_resumed', choice);
  });
}

function note(
  ctx: Context,
  trx: DatabaseTransaction,
  request: AuditedRequest,
  kind: 'reminders_stopped' | 'reminders_resumed',
  choice: Choice,
): Promise<void> {
  const { tenantId, userId } = choice;
  const details = { reminders: choice.kind };
  return audit(ctx, trx, request, [
    { kind, tenantId, ...(userId !== null && { userId }), details },
  ]);
}
