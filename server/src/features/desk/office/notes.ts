import { isAtLeast, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import type { Note } from '@gatehouse/contract/office/tenants';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { noteShown, refuseCardNumber } from '#features/base/staff-actions/staff-actions.ts';
import { demandRole } from '#http/roles.ts';
import type { StaffMember } from '#http/staff-guard.ts';

type Row = {
  id: string;
  text: string;
  by_name: string;
  created_at: Date;
  removed_at: Date | null;
  staff_id: string | null;
  by_role: OfficeRole | null;
};
const columns = [
  ...(['id', 'text', 'by_name', 'created_at', 'removed_at'] as const),
  ...(['staff_id', 'by_role'] as const),
];

/** The notes on a record that are not removed, the newest first, as the member reads them. */
export async function readNotes(
  db: Database,
  staff: StaffMember,
  tenantId: string,
): Promise<Note[]> {
  const rows = await db
    .selectFrom('tenant_notes')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => noteView(row, staff));
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
  return work.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('tenant_notes')
      .values({
        id: key,
        tenant_id: tenantId,
        text,
        by_name: staff.name,
        staff_id: staff.staffId,
        by_role: staff.role,
        created_at: work.clock.now(),
        removed_at: null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(columns)
      .executeTakeFirst();
    if (made !== undefined) {
      const noted = { by: staff.name, why: '', origin };
      await noteShown({ ...work, db: trx }, 'notes.add', noted, { facilityId, tenantId });
      return noteView(made, staff);
    }
    const earlier = await trx
      .selectFrom('tenant_notes')
      .select(columns)
      .where('id', '=', key)
      .where('tenant_id', '=', tenantId)
      .where('text', '=', text)
      .executeTakeFirst();
    if (earlier === undefined)
      throw new Refusal(422, 'This key was used for something else. Take a new one.');
    return noteView(earlier, staff);
  });
}

/**
 * Removes a note in reach, or restores it, with its event. Refuses with 404 one that is not there,
 * and with 403 one that another member wrote, or removed, and the role may not.
 */
export async function setNoteRemoved(
  ctx: Context,
  work: Context,
  staff: StaffMember,
  { noteId, isRemoved }: { noteId: string; isRemoved: boolean },
  origin: AuditedRequest,
): Promise<Note> {
  const note = await ctx.db
    .selectFrom('tenant_notes as n')
    .innerJoin('tenants as t', 't.id', 'n.tenant_id')
    .select(['n.staff_id', 'n.by_role', 'n.removed_at', 'n.removed_by'])
    .select(['t.id as tenantId', 't.facility_id as facilityId'])
    .where('n.id', '=', noteId)
    .executeTakeFirst();
  if (note === undefined) throw notFound();
  const { tenantId, facilityId } = note;
  const least = leastRoleFor(note);
  const demand = () => demandRole(staff.role, least, 'remove or restore another member’s note');
  const isOthers = note.removed_at !== null && note.removed_by !== staff.staffId;
  if (!isOwn(note, staff) || isOthers) demand();
  return work.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('tenant_notes')
      .set({
        removed_at: isRemoved ? work.clock.now() : null,
        removed_by: isRemoved ? staff.staffId : null,
      })
      .where('id', '=', noteId)
      // Another member may remove it meanwhile.
      .$if(!isAtLeast(staff.role, least), (query) =>
        query.where((one) =>
          one.or([one('removed_at', 'is', null), one('removed_by', '=', staff.staffId)]),
        ),
      )
      .returning(columns)
      .executeTakeFirst();
    if (row === undefined) {
      demand();
      throw notFound();
    }
    const verb = isRemoved ? 'notes.remove' : 'notes.restore';
    const noted = { by: staff.name, why: '', origin };
    await noteShown({ ...work, db: trx }, verb, noted, { facilityId, tenantId });
    return noteView(row, staff);
  });
}

type Author = Pick<Row, 'staff_id' | 'by_role'>;

function isOwn({ staff_id }: Author, { staffId }: StaffMember): boolean {
  return staff_id === staffId;
}

/** The role that removes a note of somebody else's: a manager's, or its writer's where higher. */
function leastRoleFor({ by_role }: Author): OfficeRole {
  return by_role !== null && isAtLeast(by_role, 'manager') ? by_role : 'manager';
}

function noteView(row: Row, staff: StaffMember): Note {
  const { id, text, by_name, created_at, removed_at } = row;
  return {
    id,
    text,
    by: by_name,
    at: created_at.toISOString(),
    isRemoved: removed_at !== null,
    mayRemove: isOwn(row, staff) || isAtLeast(staff.role, leastRoleFor(row)),
  };
}
