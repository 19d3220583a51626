import { calendarDateIn } from '@gatehouse/contract/dates';
import { gateCodeKey } from '@gatehouse/contract/gate-code';
import { sql } from 'kysely';
import {
  findConflict,
  isAnothers,
  lockCodes,
  readCodes,
  renewSharedCodes,
} from '#features/service/gate-access/codes.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import type { Faults } from './faults.ts';
import { importFiles } from './files.ts';
import type { Place } from './rows.ts';
import { termsGiven } from './terms.ts';

/**
 * The ids of rentals that are here and that the files end by today. Read before their rows are
 * written.
 */
export async function findEnding({ db, facility, facilityId, now }: Place): Promise<string[]> {
  const { time_zone } = await db
    .selectFrom('facilities')
    .select('time_zone')
    .where('id', '=', facilityId)
    .executeTakeFirstOrThrow();
  const today = calendarDateIn(time_zone, now);
  const { rows } = await sql<{ id: string }>`
    SELECT here.id FROM staged_ledgers s ${termsGiven}
    WHERE s.facility = ${facility} AND NOT s.is_new
      AND is_current_on(here.moved_out_on, ${today}::date)
      AND NOT is_current_on(given.moved_out_on, ${today}::date)
    ORDER BY here.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Keeps the code that a rental has here where its row gives one that a former tenant knows: the
 * files of an old system still have the code from before it was renewed.
 */
export async function keepRenewedCodes(
  { db, facility, facilityId }: Place,
  mail: MailContext,
): Promise<void> {
  const codes = await readCodes(mail, db, facilityId);
  const former = codes.filter(({ isOver }) => isOver);
  if (former.length === 0) return;
  const current = new Map(
    codes.filter(({ isOver }) => !isOver).map((one) => [one.ledgerId, one.tenantId]),
  );
  const { rows } = await sql<{ ledgerId: string; given: string }>`
    SELECT s.row_id AS "ledgerId", s.access_code AS given
    FROM staged_gate_codes s JOIN gate_codes c ON c.ledger_id = s.row_id
    WHERE s.facility = ${facility} AND s.access_code <> c.access_code`.execute(db);
  const kept = rows.filter(({ ledgerId, given }) => {
    if (!current.has(ledgerId)) return false;
    const code = mail.vault.open('gateCode', ledgerId, given);
    return former.some((one) => one.code === code && one.tenantId !== current.get(ledgerId));
  });
  await sql`
    UPDATE staged_gate_codes s SET access_code = c.access_code FROM gate_codes c
    WHERE s.facility = ${facility} AND c.ledger_id = s.row_id
      AND s.row_id = ANY(${kept.map(({ ledgerId }) => ledgerId)}::uuid[])`.execute(db);
}

/** Renews the codes that others share with the rentals that the files have ended. */
export async function renewCodesOf(
  { db, facilityId }: Place,
  mail: MailContext,
  endedIds: string[],
): Promise<void> {
  for (const ledgerId of endedIds) await renewSharedCodes(mail, db, { ledgerId, facilityId });
}

/** A row of gate-codes.csv whose code is another than the rental has here. */
type GivenCode = { line: number; ledgerId: string };

/**
 * The rows that give a rental another code than it has. Read before they are written and after they
 * are sealed; until the import ends no other code is given at the facility.
 */
export async function findGivenCodes({ db, facility, facilityId }: Place): Promise<GivenCode[]> {
  await lockCodes(db, facilityId);
  const { rows } = await sql<GivenCode>`
    SELECT s.line, s.row_id AS "ledgerId"
    FROM staged_gate_codes s LEFT JOIN gate_codes c ON c.ledger_id = s.row_id
    WHERE s.facility = ${facility} AND s.access_code IS DISTINCT FROM c.access_code
    ORDER BY s.line`.execute(db);
  return rows;
}

/**
 * Adds a fault for each code that the files have given now and that staff could not give. After
 * what the files end is renewed: codes that were shared before, and those of rentals that are over,
 * are none.
 */
export async function checkGivenCodes(
  { db, facility, facilityId }: Place,
  mail: MailContext,
  given: GivenCode[],
  faults: Faults,
): Promise<void> {
  if (given.length === 0) return;
  const codes = await readCodes(mail, db, facilityId);
  const byKey = Map.groupBy(codes, ({ code }) => gateCodeKey(code));
  const current = new Map(
    codes
      .filter(({ isOver, isPersons }) => !isOver && !isPersons)
      .map((one) => [one.ledgerId, one] as const),
  );
  for (const { line, ledgerId } of given) {
    const own = current.get(ledgerId);
    const conflict = own && findConflict(byKey.get(gateCodeKey(own.code))!, own);
    if (conflict === undefined) continue;
    const says = isAnothers(conflict, own!.tenantId)
      ? 'is or was until a year ago the code of another tenant or person of the facility'
      : 'is the code of a rental of the tenant that is overlocked';
    faults.add({ file: importFiles.gateCodes.name, line, column: 'access_code', facility, says });
  }
}
