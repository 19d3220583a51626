import type { Note } from '@gatehouse/contract/office/tenants';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { noteShown, refuseCardNumber } from '#features/base/staff-actions/staff-actions.ts';
import type { StaffMember } from '#http/staff-guard.ts';

type Row = {
  id: string;
  text: string;
  by_name: string;
  created_at: Date;
  removed_at: Date | null;
};
const columns = ['id', 'text', 'by_name', 'created_at', 'removed_at'] as const;

/** The notes on a record that are not removed, the newest first. */
export async function readNotes(db: Database, tenantId: string): Promise<Note[]> {
  const rows = await db
    .selectFrom('tenant_notes')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(noteView);
}

/**
 * Adds a note to a record that the caller has found in reach, under its key: sent twice, it is
 * added once. Refuses with 422 a key of another note and a card's number.
 */
export async function writeNote(
  work: Context,
  staff: StaffMember,
  {
    key,
    text,
    tenantId,
    facilityId,
  }: { key: string; text: string; tenantId: string; facilityId: string },
  origin: AuditedRequest,
): Promise<Note> {
  refuseCardNumber(text);
  const made = await work.db
    .insertInto('tenant_notes')
    .values({
      id: key,
      tenant_id: tenantId,
      text,
      by_name: staff.name,
      created_at: work.clock.now(),
      removed_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (made !== undefined) {
    const noted = { by: staff.name, why: '', origin };
    await noteShown(work, 'notes.add', noted, { facilityId, tenantId });
    return noteView(made);
  }
  const earlier = await work.db
    .selectFrom('tenant_notes')
    .select(columns)
    .where('id', '=', key)
    .where('tenant_id', '=', tenantId)
    .where('text', '=', text)
    .executeTakeFirst();
  if (earlier === undefined)
    throw new Refusal(422, 'This key was used for something else. Take a new one.');
  return noteView(earlier);
}

/** Removes a note in reach, or restores it. Refuses with 404 one that is not there. */
export async function setNoteRemoved(
  ctx: Context,
  work: Context,
  noteId: string,
  isRemoved: boolean,
): Promise<Note> {
  const seen = await ctx.db
    .selectFrom('tenant_notes')
    .select('id')
    .where('id', '=', noteId)
    .executeTakeFirst();
  if (seen === undefined) throw notFound();
  const row = await work.db
    .updateTable('tenant_notes')
    .set({ removed_at: isRemoved ? work.clock.now() : null })
    .where('id', '=', noteId)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return noteView(row);
}

function noteView({ id, text, by_name, created_at, removed_at }: Row): Note {
  return {
    id,
    text,
    by: by_name,
    at: created_at.toISOString(),
    isRemoved: removed_at !== null,
  };
}
