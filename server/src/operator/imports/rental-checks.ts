import { sql } from 'kysely';
import { todayAt } from '#db/today.ts';
import { check, dollars } from './check.ts';
import type { Place } from './rows.ts';
import { termsGiven } from './terms.ts';

/**
 * The rows of ledgers.csv with the days that they rent their units and, of those here already, did
 * `before`.
 */
const rentals = sql`(
  SELECT s.*, rented_days(coalesce(here.unit_since, s.moved_in_on), coalesce(given.moved_out_on, here.moved_out_on)) AS days,
    CASE WHEN here.id IS NOT NULL
      THEN rented_days(coalesce(here.unit_since, here.moved_in_on), here.moved_out_on) END AS days_before
  FROM staged_ledgers s ${termsGiven})`;

export const unitTaken = check('ledgers', 'unit')`
  SELECT DISTINCT s.facility, s.line, 'is rented by somebody whom no row of this file names' AS says
  FROM ${rentals} s
  JOIN known_ids u ON u.kind = 'unit' AND u.facility = s.facility AND u.id = s.unit
  JOIN unit_days l ON l.unit_id = u.row_id AND l.ledger_id <> s.row_id
  WHERE s.is_sound AND l.days && s.days
    -- What overlapped already, perhaps for years, is left alone.
    AND (l.days && s.days_before) IS NOT TRUE
    AND NOT EXISTS (SELECT FROM staged_ledgers other WHERE other.row_id = l.ledger_id)`;

/**
 * Two rows of the file that rent one unit on the same days, unless both are there already and
 * overlapped before.
 */
export const rentedTwice = check('ledgers', 'unit')`
  SELECT s.facility, s.line, 'is rented in line ' || min(other.line) AS says
  FROM ${rentals} s JOIN ${rentals} other
    ON other.facility = s.facility AND other.unit = s.unit AND other.line < s.line
  WHERE s.is_sound AND other.is_sound AND s.days && other.days AND (s.days_before && other.days_before) IS NOT TRUE
  GROUP BY s.facility, s.line`;

/** Who rents which unit since when is the lease itself: another one is another ledger. */
export const leaseOfOthers = check('ledgers', 'ledger_id')`
  SELECT s.facility, s.line, 'is there already, of another tenant or unit or with another move-in' AS says
  FROM staged_ledgers s
  JOIN known_ids t ON t.kind = 'tenant' AND t.facility = s.facility AND t.id = s.tenant_id
  JOIN known_ids u ON u.kind = 'unit' AND u.facility = s.facility AND u.id = s.unit
  JOIN ledgers l ON l.id = s.row_id
  WHERE NOT s.is_new AND (l.tenant_id, l.unit_id, l.moved_in_on) <> (t.row_id, u.row_id, s.moved_in_on)`;

/** An old folder would let bills and autopay of a rental go on that has ended since. */
export const begunAgain = check('ledgers', 'moved_out_on')`
  SELECT s.facility, s.line, 'is empty, but the rental ends here on ' || here.moved_out_on
    || ': give that day or another one; whoever comes back has a new ledger_id' AS says
  FROM staged_ledgers s ${termsGiven}
  WHERE s.is_sound AND given.moved_out_on IS NULL AND here.moved_out_on IS NOT NULL`;

/** What a move-out came to was reckoned for its day, mailed and given back. */
export const settledOtherwise = check('ledgers', 'moved_out_on')`
  SELECT s.facility, s.line, 'is ' || given.moved_out_on || ', but the move-out on ' || here.moved_out_on
    || ' is settled here' AS says
  FROM staged_ledgers s ${termsGiven}
  JOIN move_outs m ON m.ledger_id = here.id AND m.settled_at IS NOT NULL
  WHERE s.is_sound AND given.moved_out_on <> here.moved_out_on`;

export const nextBilling = check('ledgers', 'next_billing_on')`
  SELECT s.facility, s.line,
    'is not the day after what was billed, which is ' || coalesce(billed.through, s.paid_through) + 1 AS says
  FROM staged_ledgers s
  LEFT JOIN (SELECT facility, ledger_id, max(period_end) AS through FROM staged_charges WHERE category = 'rent'
    GROUP BY 1, 2) billed ON billed.facility = s.facility AND billed.ledger_id = s.ledger_id
  WHERE s.is_new AND s.is_sound AND s.next_billing_on <> coalesce(billed.through, s.paid_through) + 1`;

/**
 * The facility `f` of a row `s`, where it is here already, and its notice, which the files may
 * change.
 */
const facilitySettings = sql`
  JOIN known_facilities place ON place.facility = s.facility
  LEFT JOIN facilities f ON f.id = place.id
  LEFT JOIN staged_facilities sf ON sf.row_id = place.id`;
const noticeDays = sql`coalesce(sf.rate_notice_days, f.rate_notice_days, 30)::integer`;

/** A rise is mailed to the tenant before it is charged. */
export const rateRise = check('ledgers', 'rental_rate')`
  SELECT s.facility, s.line, 'is ' || ${dollars(sql`given.rate_cents`)} || ', above the '
    || ${dollars(sql`here.rental_rate_cents`)} || ' that is charged here: a rise needs its notice, so give it as scheduled_rate,'
    || ' and as scheduled_rate_on a day at least ' || ${noticeDays} || ' days ahead' AS says
  FROM staged_ledgers s ${termsGiven} ${facilitySettings}
  WHERE s.is_sound AND given.rate_cents > here.rental_rate_cents`;

/**
 * A change that is nearer than its notice would be billed never; no notice goes out before
 * `lateFrom`.
 */
export const rateWithoutNotice = ({ now, lateFrom }: Pick<Place, 'now' | 'lateFrom'>) =>
  check('ledgers', 'scheduled_rate_on')`
    SELECT s.facility, s.line, 'is ' || given.scheduled_on || ', and a rate change needs a day at least ' || ${noticeDays}
      || ' days ahead' || CASE WHEN here.id IS NULL THEN ' of ' || ${lateFrom}::date ELSE '' END || ' for its notice' AS says
    FROM staged_ledgers s ${termsGiven} ${facilitySettings}
    WHERE s.is_sound AND given.scheduled_on - ${noticeDays} < CASE WHEN here.id IS NOT NULL THEN ${todayAt(now)}
        WHEN given.scheduled_cents > given.rate_cents THEN ${lateFrom}::date END
      AND (given.scheduled_cents, given.scheduled_on) IS DISTINCT FROM (here.scheduled_rate_cents, here.scheduled_rate_on)`;
