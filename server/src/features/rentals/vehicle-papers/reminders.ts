import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { SOON_DAYS, type PaperKind } from '@gatehouse/contract/vehicle-papers';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database } from '#db/database.ts';
import { paperExpiresEmail } from '#emails/vehicle-paper-expires.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { joinVehicle } from '#features/rentals/vehicles/vehicles.ts';
import { reminderStep } from './reminder-step.ts';

const BATCH = 200;

/**
 * Reminds each tenant of a facility of the papers that end within 60, 30 and 7 days of the
 * facility's day `date`, once each. Papers that were replaced or removed, and rentals that have
 * ended, are left out. Answers how many mails were queued.
 */
export async function remindOfPapers(
  ctx: Context,
  run: { facilityId: string; date: string },
): Promise<number> {
  let reminded = 0;
  const batches = batchesById(
    (after) => findEnding(ctx.db, run, after),
    ({ id }) => id,
  );
  for await (const papers of batches)
    for (const paper of papers) if (await remind(ctx, paper, run.date)) reminded += 1;
  return reminded;
}

type Ending = {
  id: string;
  ledgerId: string;
  kind: PaperKind;
  expiresOn: string;
  filedAt: Date;
  unitName: string;
  vehicle: string | null;
  tenantId: string;
  firstName: string;
  email: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
};

async function findEnding(
  db: Database,
  { facilityId, date }: { facilityId: string; date: string },
  after: string,
): Promise<Ending[]> {
  const { rows } = await sql<Ending>`
    SELECT p.id, p.ledger_id AS "ledgerId", p.kind, p.expires_on AS "expiresOn", p.created_at AS "filedAt",
      u.name AS "unitName", v.description AS vehicle, t.id AS "tenantId", t.first_name AS "firstName", t.email,
      f.name AS "facilityName", f.phone AS "facilityPhone", f.time_zone AS "timeZone"
    FROM vehicle_papers p
    JOIN ledgers l ON l.id = p.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id ${joinVehicle}
    WHERE f.id = ${facilityId} AND p.id > ${after} AND p.replaced_at IS NULL
      AND is_current_on(l.moved_out_on, ${date}::date)
      AND p.expires_on BETWEEN ${date}::date AND ${addDays(date, SOON_DAYS)}::date
    ORDER BY p.id LIMIT ${BATCH}`.execute(db);
  return rows;
}

async function remind(ctx: Context, paper: Ending, date: string): Promise<boolean> {
  const { id, ledgerId, email } = paper;
  const filedOn = calendarDateIn(paper.timeZone, paper.filedAt);
  const days = reminderStep({ expiresOn: paper.expiresOn, filedOn }, date);
  if (days === null) return false;
  return ctx.db.transaction().execute(async (trx) => {
    // Read again under the lock of those who file and remove, who may have been faster.
    await sql`SELECT FROM ledgers WHERE id = ${ledgerId} FOR NO KEY UPDATE`.execute(trx);
    const { rows } = await sql`
      INSERT INTO vehicle_paper_reminders (paper_id, days, reminded_at)
      SELECT p.id, ${days}, ${ctx.clock.now()} FROM vehicle_papers p WHERE p.id = ${id} AND p.replaced_at IS NULL
      ON CONFLICT (paper_id, days) DO NOTHING RETURNING days`.execute(trx);
    if (rows.length === 0) return false;
    await queueMail(ctx, trx, {
      to: email,
      kind: 'paper_expires',
      tenantId: paper.tenantId,
      email: () => paperExpiresEmail(paper),
    });
    return true;
  });
}
