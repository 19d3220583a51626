import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Faults } from './faults.ts';
import { importFiles, type FileName } from './files.ts';
import type { Place } from './rows.ts';
import { fileNames, staged, type Staging } from './staging.ts';
import { termsGiven } from './terms.ts';

/** So many faults of one check are listed for a facility; the rest is counted. */
const MOST_OF_A_KIND = 20;

/**
 * A query that answers `facility`, `line` and `says` of each staged row that it is about; all are
 * of its file, so it has nothing to ask where that did not come.
 */
type Check = { file: FileName; column: string | null; query: RawBuilder<unknown> };

/**
 * What is wrong between the rows, and between them and the database; each with the line that can be
 * put right.
 */
export async function checkRelations(
  db: Database,
  staging: Staging,
  now: Date,
  faults: Faults,
): Promise<void> {
  for (const check of [...generalChecks(), ...ownChecks(), ...changingChecks(staging, now)])
    if (staging.columns.has(check.file)) await run(db, check, faults);
}

/**
 * The same of what others change too, once the facility's ledgers are locked, and what its books
 * must come to.
 */
export async function checkLocked(
  { db, staging, facility, now }: Place,
  faults: Faults,
): Promise<void> {
  for (const check of [...changingChecks(staging, now), balanceHere])
    if (staging.columns.has(check.file)) await run(db, check, faults, facility);
}

async function run(
  db: Database,
  { file, column, query }: Check,
  faults: Faults,
  of?: string,
): Promise<void> {
  const { rows } = await sql<{
    facility: string;
    line: number;
    says: string;
    place: number;
    count: number;
  }>`
    SELECT * FROM (
      SELECT facility, line, says, (row_number() OVER (PARTITION BY facility ORDER BY line))::int AS place,
        (count(*) OVER (PARTITION BY facility))::int AS count
      FROM (${query}) found WHERE facility = ${of ?? sql`facility`}
    ) numbered WHERE place <= ${MOST_OF_A_KIND} ORDER BY facility, place`.execute(db);
  const { name } = importFiles[file];
  for (const { facility, line, says, place, count } of rows) {
    faults.add({ file: name, line, column, facility, says });
    if (place === MOST_OF_A_KIND) faults.addUnlisted(name, count - MOST_OF_A_KIND);
  }
}

/** Of every file: its facility is known, its key appears once, and what it refers to is there. */
function generalChecks(): Check[] {
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

/**
 * Charges are too many to be looked up among those of the database: what names one comes with it.
 */
const lateFeesWithoutRent: Check = {
  file: 'charges',
  column: 'late_for',
  query: sql`
    SELECT s.facility, s.line, 'names no rent charge of this rental' AS says FROM staged_charges s
    WHERE s.late_for IS NOT NULL AND NOT EXISTS (
      SELECT FROM staged_charges rent WHERE rent.facility = s.facility AND rent.charge_id = s.late_for
        AND rent.ledger_id = s.ledger_id AND rent.category = 'rent')`,
};

const waiversWithoutCharge: Check = {
  file: 'payments',
  column: 'waives',
  query: sql`
    SELECT s.facility, s.line, 'names no charge of this rental in charges.csv' AS says FROM staged_payments s
    WHERE s.waives IS NOT NULL AND NOT EXISTS (
      SELECT FROM staged_charges waived WHERE waived.facility = s.facility AND waived.charge_id = s.waives
        AND waived.ledger_id = s.ledger_id)`,
};

function checksWithinRows(): Check[] {
  return fileNames().flatMap((file) =>
    (withinRows[file] ?? []).map(([column, isWrong, says]) => ({
      file,
      column,
      query: sql`
        SELECT s.facility, s.line, ${says}::text AS says FROM ${staged(file)} s WHERE s.is_sound AND (${isWrong})`,
    })),
  );
}

/** What billing, staff and tenants change while an import runs. */
function changingChecks({ columns }: Staging, now: Date): Check[] {
  const checks = [billedAlready, rateRise, rateWithoutNotice(now)];
  return columns.get('ledgers')?.has('moved_out_on')
    ? [...checks, begunAgain, settledOtherwise]
    : checks;
}

/** What must not hold within a row, by its file: the column that is named, and what is wrong. */
const withinRows: Partial<
  Record<FileName, [column: string, isWrong: RawBuilder<unknown>, says: string][]>
> = {
  discountPlans: [
    ['amount', sql`num_nonnulls(percent, amount) <> 1`, 'must be given, or percent, but not both'],
  ],
  tenants: [
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
  charges: [
    [
      'period_end',
      sql`(category = 'rent') <> (period_end IS NOT NULL)`,
      'is for rent, and rent needs it',
    ],
    ['period_end', sql`period_end < due_on`, 'is before the due date'],
    ['discount', sql`discount > price`, 'is more than the price'],
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

/** What holds within a file, or between it and what the database has already. */
function ownChecks(): Check[] {
  return [
    ...checksWithinRows(),
    rentedTwice,
    twice(
      'charges',
      'late_for',
      sql`late_for IS NOT NULL`,
      sql`late_for`,
      'has its late fee in line ',
    ),
    twice(
      'insurance',
      'ledger_id',
      sql`kind = 'plan' AND ends_on IS NULL`,
      sql`ledger_id`,
      'has a plan without an end in line ',
    ),
    twice(
      'insurance',
      'ledger_id',
      sql`kind = 'private'`,
      sql`ledger_id`,
      'has a private policy in line ',
    ),
    receiptTwice,
    receiptTaken,
    unitTaken,
    leaseOfOthers,
    nextBilling,
    overlap,
    chargeChanged,
    paymentChanged,
    methodOfOthers,
    customersOfOne,
    customerOfOthers,
    planBeside,
    autopayOfOthers,
    balance,
  ];
}

/** The second of rows of one facility that have the same. */
function twice(
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

/** A receipt's number is one of a kind in the whole database. */
const receiptTwice: Check = {
  file: 'payments',
  column: 'receipt_number',
  query: sql`
    SELECT facility, line, 'is the same as in line ' || first AS says FROM (
      SELECT facility, line, first_value(line) OVER (PARTITION BY receipt_number ORDER BY line) AS first
      FROM staged_payments WHERE receipt_number IS NOT NULL
    ) s WHERE line <> first`,
};

const receiptTaken: Check = {
  file: 'payments',
  column: 'receipt_number',
  query: sql`
    SELECT s.facility, s.line, 'is the number of another receipt' AS says
    FROM staged_payments s JOIN payments p ON p.receipt_number = s.receipt_number WHERE p.entry_id <> s.row_id`,
};

/**
 * The rows of ledgers.csv with the days that they rent their units and, of those here already, did
 * `before`.
 */
const rentals = sql`(
  SELECT s.*, rented_days(coalesce(here.unit_since, s.moved_in_on), coalesce(given.moved_out_on, here.moved_out_on)) AS days,
    CASE WHEN here.id IS NOT NULL
      THEN rented_days(coalesce(here.unit_since, here.moved_in_on), here.moved_out_on) END AS days_before
  FROM staged_ledgers s ${termsGiven})`;

const unitTaken: Check = {
  file: 'ledgers',
  column: 'unit',
  query: sql`
    SELECT DISTINCT s.facility, s.line, 'is rented by somebody whom no row of this file names' AS says
    FROM ${rentals} s
    JOIN known_ids u ON u.kind = 'unit' AND u.facility = s.facility AND u.id = s.unit
    JOIN unit_days l ON l.unit_id = u.row_id AND l.ledger_id <> s.row_id
    WHERE s.is_sound AND l.days && s.days
      -- What overlapped already, perhaps for years, is left alone.
      AND (l.days && s.days_before) IS NOT TRUE
      AND NOT EXISTS (SELECT FROM staged_ledgers other WHERE other.row_id = l.ledger_id)`,
};

/**
 * Two rows of the file that rent one unit on the same days, unless both are there already and
 * overlapped before.
 */
const rentedTwice: Check = {
  file: 'ledgers',
  column: 'unit',
  query: sql`
    SELECT s.facility, s.line, 'is rented in line ' || min(other.line) AS says
    FROM ${rentals} s JOIN ${rentals} other
      ON other.facility = s.facility AND other.unit = s.unit AND other.line < s.line
    WHERE s.is_sound AND other.is_sound AND s.days && other.days AND (s.days_before && other.days_before) IS NOT TRUE
    GROUP BY s.facility, s.line`,
};

/** Who rents which unit since when is the lease itself: another one is another ledger. */
const leaseOfOthers: Check = {
  file: 'ledgers',
  column: 'ledger_id',
  query: sql`
    SELECT s.facility, s.line, 'is there already, of another tenant or unit or with another move-in' AS says
    FROM staged_ledgers s
    JOIN known_ids t ON t.kind = 'tenant' AND t.facility = s.facility AND t.id = s.tenant_id
    JOIN known_ids u ON u.kind = 'unit' AND u.facility = s.facility AND u.id = s.unit
    JOIN ledgers l ON l.id = s.row_id
    WHERE NOT s.is_new AND (l.tenant_id, l.unit_id, l.moved_in_on) <> (t.row_id, u.row_id, s.moved_in_on)`,
};

/** An old folder would let bills and autopay of a rental go on that has ended since. */
const begunAgain: Check = {
  file: 'ledgers',
  column: 'moved_out_on',
  query: sql`
    SELECT s.facility, s.line, 'is empty, but the rental ends here on ' || here.moved_out_on
      || ': give that day or another one; whoever comes back has a new ledger_id' AS says
    FROM staged_ledgers s ${termsGiven}
    WHERE s.is_sound AND given.moved_out_on IS NULL AND here.moved_out_on IS NOT NULL`,
};

/** What a move-out came to was reckoned for its day, mailed and given back. */
const settledOtherwise: Check = {
  file: 'ledgers',
  column: 'moved_out_on',
  query: sql`
    SELECT s.facility, s.line, 'is ' || given.moved_out_on || ', but the move-out on ' || here.moved_out_on
      || ' is settled here' AS says
    FROM staged_ledgers s ${termsGiven}
    JOIN move_outs m ON m.ledger_id = here.id AND m.settled_at IS NOT NULL
    WHERE s.is_sound AND given.moved_out_on <> here.moved_out_on`,
};

const nextBilling: Check = {
  file: 'ledgers',
  column: 'next_billing_on',
  query: sql`
    SELECT s.facility, s.line,
      'is not the day after what was billed, which is ' || coalesce(billed.through, s.paid_through) + 1 AS says
    FROM staged_ledgers s
    LEFT JOIN (SELECT facility, ledger_id, max(period_end) AS through FROM staged_charges WHERE category = 'rent'
      GROUP BY 1, 2) billed ON billed.facility = s.facility AND billed.ledger_id = s.ledger_id
    WHERE s.is_new AND s.is_sound AND s.next_billing_on <> coalesce(billed.through, s.paid_through) + 1`,
};

const overlap: Check = {
  file: 'charges',
  column: 'due_on',
  query: sql`
    SELECT facility, line, 'is within the period of another rent charge of this rental' AS says FROM (
      SELECT facility, line, due_on, max(period_end) OVER (PARTITION BY facility, ledger_id ORDER BY due_on, line
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM staged_charges WHERE category = 'rent'
    ) s WHERE due_on <= before`,
};

/** What the server has billed meanwhile is not billed a second time by a file. */
const billedAlready: Check = {
  file: 'charges',
  column: 'due_on',
  query: sql`
    SELECT s.facility, s.line, 'is within a period that has been billed here already' AS says
    FROM staged_charges s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    WHERE s.is_new AND s.category = 'rent' AND EXISTS (
      SELECT FROM billed_periods b
      WHERE b.ledger_id = l.row_id AND b.due_on <= s.period_end AND b.period_end >= s.due_on)`,
};

const NEVER_CHANGED =
  'entries are never changed, so a correction is a further charge, payment or credit';

const chargeChanged: Check = {
  file: 'charges',
  column: 'charge_id',
  query: sql`
    SELECT s.facility, s.line, 'is there already with another ' || changed.what || ': ' || ${NEVER_CHANGED}::text AS says
    FROM staged_charges s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN charges c ON c.entry_id = s.row_id
    JOIN entries e ON e.id = c.entry_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN c.ledger_id <> l.row_id THEN 'ledger_id'
      WHEN c.category <> s.category THEN 'category'
      WHEN c.description <> s.description THEN 'description'
      WHEN c.due_on <> s.due_on THEN 'due_on'
      WHEN c.period_end IS DISTINCT FROM s.period_end THEN 'period_end'
      WHEN c.price_cents <> s.price THEN 'price'
      WHEN c.discount_cents <> coalesce(s.discount, 0) THEN 'discount'
      WHEN c.tax1_cents <> coalesce(s.tax1, 0) THEN 'tax1'
      WHEN c.tax2_cents <> coalesce(s.tax2, 0) THEN 'tax2'
      WHEN e.posted_on <> coalesce(s.posted_on, s.due_on) THEN 'posted_on'
    END AS what) changed
    WHERE NOT s.is_new AND s.is_sound AND changed.what IS NOT NULL`,
};

const paymentChanged: Check = {
  file: 'payments',
  column: 'payment_id',
  query: sql`
    SELECT s.facility, s.line, 'is there already with another ' || changed.what || ': ' || ${NEVER_CHANGED}::text AS says
    FROM staged_payments s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN entries e ON e.id = s.row_id
    LEFT JOIN payments p ON p.entry_id = e.id
    LEFT JOIN credits c ON c.entry_id = e.id
    CROSS JOIN LATERAL (SELECT sum(r.amount_cents) AS cents FROM reversals rev JOIN entries r ON r.id = rev.entry_id
      WHERE rev.payment_entry_id = e.id) back
    CROSS JOIN LATERAL (SELECT CASE
      WHEN e.ledger_id <> l.row_id THEN 'ledger_id'
      WHEN e.kind <> coalesce(s.kind, 'payment') THEN 'kind'
      WHEN e.posted_on <> s.paid_on THEN 'paid_on'
      WHEN -e.amount_cents <> s.amount THEN 'amount'
      WHEN coalesce(p.description, c.description) <> s.description THEN 'description'
      WHEN p.receipt_number <> s.receipt_number THEN 'receipt_number'
      WHEN back.cents < s.taken_back OR (back.cents IS NULL AND s.taken_back IS NOT NULL) THEN 'taken_back'
    END AS what) changed
    WHERE NOT s.is_new AND s.is_sound AND changed.what IS NOT NULL`,
};

const methodOfOthers: Check = {
  file: 'gatewayTokens',
  column: 'payment_method_id',
  query: sql`
    SELECT s.facility, s.line, 'is there already, of another tenant or type' AS says
    FROM staged_gateway_tokens s
    JOIN known_ids t ON t.kind = 'tenant' AND t.facility = s.facility AND t.id = s.tenant_id
    JOIN payment_methods m ON m.id = s.row_id
    WHERE NOT s.is_new AND (m.tenant_id, m.type) <> (t.row_id, s.type)`,
};

const planBeside: Check = {
  file: 'insurance',
  column: 'ledger_id',
  query: sql`
    SELECT s.facility, s.line, 'has another protection plan here already' AS says
    FROM staged_insurance s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN ledger_protection_plans p ON p.ledger_id = l.row_id AND p.ends_on IS NULL AND p.id <> s.row_id
    WHERE s.kind = 'plan' AND s.ends_on IS NULL
      AND NOT EXISTS (SELECT FROM staged_insurance other WHERE other.row_id = p.id AND other.ends_on IS NOT NULL)
      AND NOT EXISTS (SELECT FROM ledger_protection_plans ended WHERE ended.id = s.row_id AND ended.ends_on IS NOT NULL)`,
};

const autopayOfOthers: Check = {
  file: 'autopay',
  column: 'payment_method_id',
  query: sql`
    SELECT s.facility, s.line, 'is of another tenant than the rental' AS says
    FROM staged_autopay s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN known_ids m ON m.kind = 'payment_method' AND m.facility = s.facility AND m.id = s.payment_method_id
    LEFT JOIN staged_ledgers sl ON sl.row_id = l.row_id
    LEFT JOIN known_ids st ON st.kind = 'tenant' AND st.facility = sl.facility AND st.id = sl.tenant_id
    LEFT JOIN ledgers dl ON dl.id = l.row_id
    LEFT JOIN staged_gateway_tokens sm ON sm.row_id = m.row_id
    LEFT JOIN known_ids mt ON mt.kind = 'tenant' AND mt.facility = sm.facility AND mt.id = sm.tenant_id
    LEFT JOIN payment_methods dm ON dm.id = m.row_id
    WHERE coalesce(st.row_id, dl.tenant_id) <> coalesce(mt.row_id, dm.tenant_id)`,
};

/**
 * The facility `f` of a row `s` of a ledger that is `here`, and its notice, which the files may
 * change.
 */
const facilitySettings = sql`
  JOIN tenants renter ON renter.id = here.tenant_id JOIN facilities f ON f.id = renter.facility_id
  LEFT JOIN staged_facilities sf ON sf.row_id = f.id`;
const noticeDays = sql`coalesce(sf.rate_notice_days, f.rate_notice_days)::integer`;

/** What the new entries of the files come to, by ledger; whether all of them could be read. */
const newSums = sql`(
  SELECT facility, ledger_id, bool_and(is_sound) AS is_sound, sum(cents) AS cents FROM (
    SELECT facility, ledger_id, is_sound, price - coalesce(discount, 0) + coalesce(tax1, 0) + coalesce(tax2, 0) AS cents
    FROM staged_charges WHERE is_new
    UNION ALL
    SELECT facility, ledger_id, is_sound, coalesce(taken_back, 0) - amount FROM staged_payments WHERE is_new
  ) entry GROUP BY 1, 2)`;

const dollars = (cents: RawBuilder<unknown>) => sql`(${cents} / 100.0)::numeric(14, 2)`;

/**
 * Of a new ledger, charges less payments and credits, with what was taken back, are the balance, to
 * the cent (I1).
 */
const balance: Check = {
  file: 'ledgers',
  column: 'balance',
  query: sql`
    SELECT s.facility, s.line, 'is ' || ${dollars(sql`s.balance`)} || ', but charges less payments are '
      || ${dollars(sql`coalesce(n.cents, 0)`)} AS says
    FROM staged_ledgers s LEFT JOIN ${newSums} n ON n.facility = s.facility AND n.ledger_id = s.ledger_id
    WHERE s.is_new AND s.is_sound AND n.is_sound IS NOT FALSE AND s.balance <> coalesce(n.cents, 0)`,
};

/**
 * Of a ledger that is here already, the balance is what its books come to with the new entries. One
 * that the file said when it was last taken over says nothing of today's.
 */
const balanceHere: Check = {
  file: 'ledgers',
  column: 'balance',
  query: sql`
    SELECT s.facility, s.line, 'is ' || ${dollars(sql`s.balance`)} || ', but the books here come to '
      || ${dollars(sql`l.balance_cents + coalesce(n.cents, 0)`)} AS says
    FROM staged_ledgers s
    JOIN ledgers l ON l.id = s.row_id
    LEFT JOIN imported_ledgers said ON said.ledger_id = l.id
    LEFT JOIN ${newSums} n ON n.facility = s.facility AND n.ledger_id = s.ledger_id
    WHERE NOT s.is_new AND s.balance <> l.balance_cents + coalesce(n.cents, 0)
      AND (n.cents IS NOT NULL OR s.balance IS DISTINCT FROM said.balance_cents)`,
};

/** A rise is mailed to the tenant before it is charged (D13). */
const rateRise: Check = {
  file: 'ledgers',
  column: 'rental_rate',
  query: sql`
    SELECT s.facility, s.line, 'is ' || ${dollars(sql`given.rate_cents`)} || ', above the '
      || ${dollars(sql`here.rental_rate_cents`)} || ' that is charged here: a rise needs its notice, so give it as scheduled_rate,'
      || ' and as scheduled_rate_on a day at least ' || ${noticeDays} || ' days ahead' AS says
    FROM staged_ledgers s ${termsGiven} ${facilitySettings}
    WHERE s.is_sound AND given.rate_cents > here.rental_rate_cents`,
};

/** A change that is nearer than its notice would be billed never. */
const rateWithoutNotice = (now: Date): Check => ({
  file: 'ledgers',
  column: 'scheduled_rate_on',
  query: sql`
    SELECT s.facility, s.line, 'is ' || given.scheduled_on || ', and a rate change needs a day at least ' || ${noticeDays}
      || ' days ahead for its notice' AS says
    FROM staged_ledgers s ${termsGiven} ${facilitySettings}
    WHERE s.is_sound AND here.id IS NOT NULL AND given.scheduled_on - ${noticeDays} < (${now} AT TIME ZONE f.time_zone)::date
      AND (given.scheduled_cents, given.scheduled_on) IS DISTINCT FROM (here.scheduled_rate_cents, here.scheduled_rate_on)`,
});

const SAVED_UNDER =
  'is not the number that the tenant has here, under which saved methods and open payments are';

/** The gateway finds methods and payments under the number that they were made with. */
const customerOfOthers: Check = {
  file: 'gatewayTokens',
  column: 'customer',
  query: sql`
    SELECT s.facility, s.line, ${SAVED_UNDER}::text AS says
    FROM staged_gateway_tokens s
    JOIN known_ids t ON t.kind = 'tenant' AND t.facility = s.facility AND t.id = s.tenant_id
    JOIN gateway_customers c ON c.tenant_id = t.row_id WHERE c.customer <> s.customer`,
};

const customersOfOne: Check = {
  file: 'gatewayTokens',
  column: 'customer',
  query: sql`
    SELECT facility, line, 'is another than in line ' || first || ', and a tenant has one' AS says FROM (
      SELECT facility, line, customer, first_value(line) OVER named AS first, first_value(customer) OVER named AS earlier
      FROM staged_gateway_tokens WHERE customer IS NOT NULL WINDOW named AS (PARTITION BY facility, tenant_id ORDER BY line)
    ) s WHERE customer <> earlier`,
};
