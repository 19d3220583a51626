import { sql, type RawBuilder } from 'kysely';
import { todayAt } from '#db/today.ts';
import { check, dollars, type Check } from './check.ts';
import type { FileName } from './files.ts';
import { staged } from './staging.ts';

const FAR_AHEAD = 'is more than half a year ahead: enter it in the office when it is nearer';

/** What must not hold of a row: see `ofRentals` for what it sees. */
type Slip = [
  file: FileName,
  column: string,
  isWrong: RawBuilder<unknown>,
  says: RawBuilder<unknown>,
];

const days = sql`(period_end - due_on + 1)`;

const slips: Slip[] = [
  ...(
    [
      ['ledgers', 'moved_in_on'],
      ['ledgers', 'moved_out_on'],
      ['ledgers', 'scheduled_rate_on'],
      ['insurance', 'starts_on'],
    ] as const
  ).map(([file, column]): Slip => [
    file,
    column,
    sql`${sql.ref(column)} > today + 184`,
    sql`${FAR_AHEAD}::text`,
  ]),
  ...(
    [
      ['charges', 'posted_on'],
      ['payments', 'paid_on'],
      ['payments', 'taken_back_on'],
      ['autopay', 'agreed_on'],
    ] as const
  ).map(([file, column]): Slip => [
    file,
    column,
    sql`${sql.ref(column)} > today`,
    sql`'is in the future'`,
  ]),
  ...(
    [
      ['charges', 'due_on'],
      ['payments', 'paid_on'],
    ] as const
  ).map(([file, column]): Slip => [
    file,
    column,
    sql`is_new AND ${sql.ref(column)} < least(begins_on, today) - 31`,
    sql`'is more than a month before the move-in, which is ' || begins_on`,
  ]),
  [
    'ledgers',
    'scheduled_rate',
    sql`rental_rate > 0 AND scheduled_rate > 3 * rental_rate`,
    sql`'is ' || ${dollars(sql`scheduled_rate`)} || ', more than three times the rent'`,
  ],
  [
    'charges',
    'due_on',
    sql`is_new AND posted_on IS NULL AND due_on > today`,
    sql`'is in the future: a bill that was made before its due date needs its posted_on'`,
  ],
  [
    'charges',
    'due_on',
    sql`is_new AND category <> 'rent' AND posted_on <= today AND due_on > greatest(today, begins_on) + 31`,
    sql`'is more than a month ahead'`,
  ],
  [
    'charges',
    'period_end',
    sql`is_new AND ${days} > longest`,
    sql`'makes a period of ' || ${days} || ' days, and the facility bills ' || longest || ' at most'`,
  ],
  [
    'charges',
    'price',
    // A period that is cut short costs less by its days; what an earlier bill came to may be less.
    sql`is_new AND category = 'rent' AND most_rate > 0 AND (price > 3 * most_rate
      OR due_on > billed_here AND price > most_rate
      OR (due_on > billed_here OR is_opening AND due_on = last_due_on)
        AND price < least_rate * least(${days}, longest) / longest)`,
    sql`'is ' || ${dollars(sql`price`)} || ', and the rent of the rental is ' || ${dollars(sql`rate`)}
      || ': what is taken off a rent is its discount'`,
  ],
];

/**
 * What slips of the keyboard make of days, periods and sums: a month or a year off, a zero too
 * many.
 */
export function typingChecks(now: Date): Check[] {
  return [
    ...slips.map(([file, column, isWrong, says]) => ({
      file,
      column,
      query: sql`SELECT facility, line, ${says} AS says FROM ${ofRentals(now, file)} s WHERE ${isWrong}`,
    })),
    farFromBilling(now),
  ];
}

/**
 * The sound rows of a file with their facility's `today` and `longest` period in days, and of their
 * rental: the move-in as `begins_on`, its `rate` with the least and the most that it is or will be,
 * whether its books are opened by the files, the last rent that they have of it, and the last day
 * that was billed here.
 */
const ofRentals = (now: Date, file: FileName) => sql`(
  SELECT s.*, ${todayAt(now, sql`coalesce(sf.time_zone, f.time_zone)`)} AS today,
    CASE coalesce(sf.billing_kind, f.billing_kind) WHEN 'twenty_eight_days' THEN 28 ELSE 31 END AS longest,
    coalesce(here.moved_in_on, given.moved_in_on) AS begins_on,
    coalesce(here.rental_rate_cents, given.rental_rate) AS rate,
    least(here.rental_rate_cents, here.scheduled_rate_cents, given.rental_rate, given.scheduled_rate) AS least_rate,
    greatest(here.rental_rate_cents, here.scheduled_rate_cents, given.rental_rate, given.scheduled_rate) AS most_rate,
    here.id IS NULL AS is_opening, last_rent.due_on AS last_due_on, here.billed_through AS billed_here
  FROM ${staged(file)} s
  JOIN known_facilities place ON place.facility = s.facility
  LEFT JOIN staged_facilities sf ON sf.row_id = place.id
  LEFT JOIN facilities f ON f.id = place.id
  LEFT JOIN staged_ledgers given ON given.facility = s.facility AND given.ledger_id = s.ledger_id
  LEFT JOIN known_ids known ON known.kind = 'ledger' AND known.facility = s.facility AND known.id = s.ledger_id
  LEFT JOIN ledgers here ON here.id = known.row_id
  LEFT JOIN (SELECT facility, ledger_id, max(due_on) AS due_on FROM staged_charges WHERE category = 'rent' GROUP BY 1, 2)
    last_rent ON last_rent.facility = s.facility AND last_rent.ledger_id = s.ledger_id
  WHERE s.is_sound)`;

/** A rental that is new would be billed much at once, or nothing for months. */
const farFromBilling = (now: Date) => check('ledgers', 'paid_through')`
  SELECT facility, line, 'makes ' || next_on || ' the next bill, more than two months from today: where that is right,'
    || ' give it as next_billing_on too' AS says
  FROM (
    SELECT l.*, coalesce(billed.through, l.paid_through) + 1 AS next_on
    FROM ${ofRentals(now, 'ledgers')} l
    LEFT JOIN (SELECT facility, ledger_id, max(period_end) AS through FROM staged_charges WHERE category = 'rent' GROUP BY 1, 2)
      billed ON billed.facility = l.facility AND billed.ledger_id = l.ledger_id
  ) l
  WHERE is_new AND next_billing_on IS NULL AND abs(next_on - today) > 62 AND next_on <> greatest(moved_in_on, today)
    AND (moved_out_on IS NULL OR moved_out_on > next_on)`;

/**
 * Days between two periods, of the files or billed here, would be billed never: billing continues
 * after the last.
 */
export const gaps = check('charges', 'due_on')`
  SELECT s.facility, s.line, 'leaves the days from ' || gap.from_on || ' to ' || gap.to_on
    || ' without rent: give the rent of every period, at a price of 0 where none was charged' AS says
  FROM staged_charges s
  LEFT JOIN known_ids known ON known.kind = 'ledger' AND known.facility = s.facility AND known.id = s.ledger_id
  LEFT JOIN ledgers here ON here.id = known.row_id
  CROSS JOIN LATERAL (
    SELECT max(last_on) FILTER (WHERE first_on < s.due_on) AS before_on,
      min(first_on) FILTER (WHERE first_on > s.due_on) AS after_on,
      bool_or(first_on > s.due_on AND is_of_file) AS is_followed
    FROM (
      SELECT due_on AS first_on, period_end AS last_on, true AS is_of_file FROM staged_charges other
      WHERE other.facility = s.facility AND other.ledger_id = s.ledger_id AND other.category = 'rent'
      UNION ALL SELECT due_on, period_end, false FROM billed_periods b WHERE b.ledger_id = here.id
      UNION ALL SELECT here.billed_through, here.billed_through, false WHERE here.id IS NOT NULL
    ) period
  ) near
  CROSS JOIN LATERAL (VALUES
    (near.before_on + 1, s.due_on - 1, true),
    (s.period_end + 1, near.after_on - 1, near.is_followed IS NOT TRUE)
  ) gap (from_on, to_on, is_here)
  WHERE s.is_new AND s.is_sound AND s.category = 'rent' AND gap.is_here AND gap.from_on <= gap.to_on`;
