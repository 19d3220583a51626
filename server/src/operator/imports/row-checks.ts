import { sql, type RawBuilder } from 'kysely';
import type { Check } from './check.ts';
import { importFiles, type FileName } from './files.ts';
import { lateFeesWithoutRent, waiversWithoutCharge } from './money-checks.ts';
import { fileNames, staged } from './staging.ts';

/** Of every file: its facility is known, its key appears once, and what it refers to is there. */
export function generalChecks(): Check[] {
  return fileNames().flatMap((file) => {
    const { key, refers } = importFiles[file];
    const keys = sql.join(['facility', ...key].map((column) => sql.ref(column)));
    const checks: Check[] = [
      {
        file,
        column: key[0] ?? 'facility',
        query: sql`
          SELECT facility, line, 'is the same as in line ' || first AS says FROM (
            SELECT facility, line, first_value(line) OVER (PARTITION BY ${keys} ORDER BY line) AS first
            FROM ${staged(file)}
          ) s WHERE line <> first`,
      },
      {
        file,
        column: 'facility',
        query: sql`
          SELECT s.facility, s.line, 'is no facility of facilities.csv or of the database' AS says FROM ${staged(file)} s
          WHERE NOT EXISTS (SELECT FROM known_facilities k WHERE k.facility = s.facility)`,
      },
    ];
    for (const [column, kind] of Object.entries(refers)) {
      if (kind === 'charge') {
        checks.push(column === 'late_for' ? lateFeesWithoutRent : waiversWithoutCharge);
        continue;
      }
      checks.push({
        file,
        column,
        query: sql`
          SELECT s.facility, s.line, 'names no ' || ${kind.replace('_', ' ')}::text || ' of this facility' AS says
          FROM ${staged(file)} s WHERE ${sql.ref(`s.${column}`)} IS NOT NULL AND NOT EXISTS (
            SELECT FROM known_ids k
            WHERE k.kind = ${kind}::text AND k.facility = s.facility AND k.id = ${sql.ref(`s.${column}`)})`,
      });
    }
    return checks;
  });
}

/** What is wrong within a row. */
export function checksWithinRows(): Check[] {
  return fileNames().flatMap((file) =>
    (withinRows[file] ?? []).map(([column, isWrong, says]) => ({
      file,
      column,
      query: sql`
        SELECT s.facility, s.line, ${says}::text AS says FROM ${staged(file)} s WHERE s.is_sound AND (${isWrong})`,
    })),
  );
}

/** What must not hold within a row, by its file: the column that is named, and what is wrong. */
const withinRows: Partial<
  Record<FileName, [column: string, isWrong: RawBuilder<unknown>, says: string][]>
> = {
  discountPlans: [
    ['amount', sql`num_nonnulls(percent, amount) <> 1`, 'must be given, or percent, but not both'],
  ],
  protectionPlans: [['premium', sql`premium > coverage`, 'is more than the coverage']],
  tenants: [
    ['last_name', sql`company IS NULL AND coalesce(last_name, '') = ''`, 'is needed of a person'],
    [
      'drivers_license_state',
      sql`(drivers_license_number IS NULL) <> (drivers_license_state IS NULL)`,
      'belongs together with drivers_license_number: both or neither',
    ],
    [
      'alternate_first_name',
      sql`num_nulls(alternate_first_name, alternate_last_name, alternate_email, alternate_phone) NOT IN (0, 4)`,
      'is one of four: give the whole alternate contact or none of it',
    ],
  ],
  ledgers: [
    [
      'scheduled_rate_on',
      sql`(scheduled_rate IS NULL) <> (scheduled_rate_on IS NULL)`,
      'belongs together with scheduled_rate: both or neither',
    ],
    ['moved_out_on', sql`moved_out_on < moved_in_on`, 'is before the move-in'],
    [
      'paid_through',
      sql`paid_through < moved_in_on - 1`,
      'is earlier than the day before the move-in',
    ],
  ],
  furtherVehicles: [
    ['contents', sql`contents LIKE 'none:%'`, 'is no vehicle or boat'],
    [
      'ledger_id',
      sql`5 <= (
        SELECT count(*) FROM (
          SELECT other.contents FROM ${staged('furtherVehicles')} other
          WHERE other.facility = s.facility AND other.ledger_id = s.ledger_id AND other.line < s.line
          UNION SELECT v.contents FROM known_ids k JOIN further_vehicles v ON v.ledger_id = k.row_id
          WHERE k.kind = 'ledger' AND k.facility = s.facility AND k.id = s.ledger_id) others
        WHERE others.contents <> s.contents)`,
      'has five further vehicles and boats without this one',
    ],
  ],
  charges: [
    ['period_end', sql`category = 'rent' AND period_end IS NULL`, 'is missing, and rent needs it'],
    ['period_end', sql`period_end < due_on`, 'is before the due date'],
    ['discount', sql`discount > price`, 'is more than the price'],
    ['tax1', sql`tax1 > price`, 'is more than the price'],
    ['tax2', sql`tax2 > price`, 'is more than the price'],
    ['late_for', sql`late_for IS NOT NULL AND category <> 'fee'`, 'is for fees alone'],
  ],
  payments: [
    [
      'taken_back',
      sql`num_nulls(taken_back, taken_back_on, taken_back_reason) NOT IN (0, 3)`,
      'belongs together with taken_back_on and taken_back_reason: all three or none',
    ],
    ['taken_back', sql`taken_back > amount`, 'is more than the amount'],
    ['taken_back_on', sql`taken_back_on < paid_on`, 'is before the payment'],
    ['waives', sql`waives IS NOT NULL AND kind IS DISTINCT FROM 'credit'`, 'is for credits alone'],
    [
      'taken_back',
      sql`taken_back <> amount AND waives IS NOT NULL`,
      'is not the amount: a waiver is taken back wholly',
    ],
    [
      'taken_back_reason',
      sql`taken_back_reason = 'return' AND taken_back <> amount`,
      'is a return, which takes a payment back wholly',
    ],
  ],
  insurance: [
    [
      'protection_plan_id',
      sql`(kind = 'plan') <> (protection_plan_id IS NOT NULL)`,
      'is for plans, and a plan needs it',
    ],
    [
      'policy_number',
      sql`kind = 'private' AND (policy_number IS NULL OR company IS NULL)`,
      'and company are needed for a private policy',
    ],
    ['ends_on', sql`ends_on < starts_on`, 'is before the first day'],
  ],
  gatewayTokens: [
    [
      'expires_on',
      sql`(type = 'creditCard') <> (expires_on IS NOT NULL)`,
      'is for cards, and a card needs it',
    ],
    [
      'routing_last_four',
      sql`(type = 'ach') <> (routing_last_four IS NOT NULL)`,
      'is for accounts, and an account needs it',
    ],
  ],
  autopay: [
    [
      'agreed_on',
      sql`num_nulls(agreed_on, consent_text) = 1`,
      'belongs together with consent_text: both or neither',
    ],
  ],
};

/** The second of rows of one facility that have the same. */
export function twice(
  file: FileName,
  column: string,
  where: RawBuilder<unknown>,
  by: RawBuilder<unknown>,
  says: string,
): Check {
  return {
    file,
    column,
    query: sql`
      SELECT facility, line, ${says}::text || first AS says FROM (
        SELECT facility, line, first_value(line) OVER (PARTITION BY facility, ${by} ORDER BY line) AS first
        FROM ${staged(file)} WHERE ${where}
      ) s WHERE line <> first`,
  };
}
