import { standardNotice } from '@gatehouse/contract/late-notices';
import type { LateTemplate } from '@gatehouse/contract/office/late';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { AuditedRequest } from '#context/audit.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import {
  auditFacilityChange,
  lockFacility,
} from '#features/base/staff-actions/facility-changes.ts';
import { refuseCardNumber } from '#features/base/staff-actions/staff-actions.ts';
import { getOwnFacility, type StaffMember } from '#http/staff-guard.ts';

type Listed = { templates: LateTemplate[] };

/**
 * The texts of a facility in reach by name, the standard one last. Refuses with 404 another one.
 */
export async function listTemplates(
  db: Database,
  staff: StaffMember,
  facilityId: string,
): Promise<Listed> {
  const rows = await db
    .selectFrom('late_templates')
    .select(['id', 'name', 'subject', 'text', 'by_name'])
    .where('facility_id', '=', getOwnFacility(staff, facilityId).id)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute();
  return {
    templates: [
      ...rows.map(({ by_name, ...row }) => ({ ...row, by: by_name })),
      { id: null, ...standardNotice, by: null },
    ],
  };
}

type Kept = { facilityId: string; key: string; name: string; subject: string; text: string };

/**
 * Keeps a text under its name, once under its key, in place of the one that had the name. Refuses
 * with 404 a facility out of reach, and with 422 a key of another text and a card's number.
 */
export async function keepTemplate(
  work: Context,
  staff: StaffMember,
  { facilityId, key, name, subject, text }: Kept,
  origin: AuditedRequest,
): Promise<Listed> {
  const { id: facility } = getOwnFacility(staff, facilityId);
  refuseCardNumber([name, subject, text]);
  return work.db.transaction().execute(async (trx) => {
    const now = work.clock.now();
    // Before the key is looked up: a second one that waits finds the first one's row.
    await lockFacility(trx, facility);
    const earlier = await trx
      .selectFrom('late_templates')
      .select(['facility_id', 'name', 'subject', 'text'])
      .where('id', '=', key)
      .executeTakeFirst();
    if (earlier === undefined) {
      await trx
        .updateTable('late_templates')
        .set({ removed_at: now })
        .where('facility_id', '=', facility)
        .where(sql<boolean>`lower(name) = lower(${name})`)
        .where('removed_at', 'is', null)
        .execute();
      const made = { facility_id: facility, name, subject, text, by_name: staff.name };
      await trx
        .insertInto('late_templates')
        .values({ id: key, ...made, created_at: now, removed_at: null })
        .execute();
      await auditFacilityChange(work, trx, staff, origin, {
        verb: 'notices.keepText',
        facilityId: facility,
        details: { key, name },
      });
    } else if (
      earlier.facility_id !== facility ||
      JSON.stringify([earlier.name, earlier.subject, earlier.text]) !==
        JSON.stringify([name, subject, text])
    )
      throw new Refusal(422, 'This key was used for something else. Take a new one.');
    return listTemplates(trx, staff, facility);
  });
}

/** Removes a text in reach. Refuses with 404 one that is not there any more. */
export async function removeTemplate(
  work: Context,
  staff: StaffMember,
  { facilityId, templateId }: { facilityId: string; templateId: string },
  origin: AuditedRequest,
): Promise<Listed> {
  const { id: facility } = getOwnFacility(staff, facilityId);
  return work.db.transaction().execute(async (trx) => {
    const removed = await trx
      .updateTable('late_templates')
      .set({ removed_at: work.clock.now() })
      .where('id', '=', templateId)
      .where('facility_id', '=', facility)
      .where('removed_at', 'is', null)
      .returning('name')
      .executeTakeFirst();
    if (removed === undefined) throw notFound();
    const { name } = removed;
    await auditFacilityChange(work, trx, staff, origin, {
      verb: 'notices.removeText',
      facilityId: facility,
      details: { key: templateId, name },
    });
    return listTemplates(trx, staff, facility);
  });
}
