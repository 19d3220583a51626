import { randomUUID } from 'node:crypto';
import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { MOST_TABLE_ROWS } from '@gatehouse/contract/office/report-tables';
import { issueStatement } from '@gatehouse/contract/staff-statements';
import { sql } from 'kysely';
import { Refusal } from '#errors/refusal.ts';
import { statementEmail } from '#emails/statement.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import { mailedAddress, queueMail } from '#features/base/mail/mail.ts';
import { getStatement } from '#features/base/papers/statement-data.ts';
import { type StaffWork, workOf } from '#features/base/staff-actions/staff-actions.ts';

/**
 * `statements.issue`. Refuses with 404 a record that is not there or is of another facility, and
 * with 422 days after today or before the record's books, more entries than a paper takes, and a
 * mail to a record whose address is none.
 */
export const issueStatementFor = workOf(issueStatement, async (on, { tenantId, ...asked }) => {
  const record = await getRecord(on, tenantId);
  const { booksFrom } = record;
  refuseDaysOutside(asked, record);
  // What has a position by now is committed.
  await lockLedgers(on.trx, sql`SELECT id FROM ledgers WHERE tenant_id = ${tenantId}`);
  const { id, number } = await insertStatement(on, tenantId, asked);
  const { units, period } = await getStatement(on.trx, id);
  if (units.reduce((count, { lines }) => count + lines.length, 0) > MOST_TABLE_ROWS)
    throw new Refusal(
      422,
      `A statement has at most ${MOST_TABLE_ROWS} entries: choose fewer days.`,
    );
  if (asked.isMailed === true) {
    const facts = { firstName: record.firstName, facilityName: record.facilityName, number };
    const mailId = await queueMail(on.ctx, on.trx, {
      to: record.email,
      kind: 'statement',
      tenantId,
      email: () => statementEmail({ ...facts, period }),
      paper: { kind: 'statement', id },
    });
    if (mailId === null) throw new Refusal(422, 'The address on file is no mail address.');
  }
  const mailedTo = asked.isMailed === true ? record.email : null;
  const owed = (at: 'openingCents' | 'closingCents') =>
    toDollars(units.reduce((cents, unit) => cents + unit[at], 0));
  return {
    reply: {
      statementId: on.call.isPreview ? null : id,
      ...{ from: asked.from, to: asked.to, booksFrom, mailedTo },
      rentals: units.map(({ unitName, openingCents, lines, closingCents }) => ({
        unitName,
        opening: toDollars(openingCents),
        entries: lines.length,
        closing: toDollars(closingCents),
      })),
      opening: owed('openingCents'),
      closing: owed('closingCents'),
    },
    // Of a preview, what it has shown: the address, and what was owed.
    told: { verb: 'tenants.show', about: { facilityId: record.facilityId, tenantId } },
    about: {
      facilityId: record.facilityId,
      tenantId,
      details: {
        ...{ statement: number, from: asked.from, to: asked.to },
        ...(mailedTo !== null && { mailedTo }),
      },
    },
  };
});

type TenantBooks = {
  facilityId: string;
  facilityName: string;
  timeZone: string;
  email: string;
  firstName: string;
  /** The day of the first entry. */
  booksFrom: string;
  today: string;
};

async function getRecord({ trx, call, now }: StaffWork, tenantId: string): Promise<TenantBooks> {
  const { rows } = await sql<
    Omit<TenantBooks, 'today' | 'booksFrom'> & { booksFrom: string | null }
  >`
    SELECT f.id AS "facilityId", f.name AS "facilityName", f.time_zone AS "timeZone",
      ${mailedAddress(sql.ref('t.id'))} AS email,
      t.first_name AS "firstName", (SELECT min(e.posted_on) FROM ledgers l JOIN entries e ON e.ledger_id = l.id
        WHERE l.tenant_id = t.id) AS "booksFrom"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id WHERE t.id = ${tenantId}`.execute(trx);
  const [row] = rows;
  if (row === undefined || call.facilityIds?.includes(row.facilityId) === false)
    throw new Refusal(404, `There is no tenant record ${tenantId}.`);
  if (row.booksFrom === null)
    throw new Refusal(422, 'There is nothing in the books of this tenant.');
  return { ...row, booksFrom: row.booksFrom, today: calendarDateIn(row.timeZone, now) };
}

function refuseDaysOutside({ to }: { to: string }, { booksFrom, today }: TenantBooks): void {
  if (to > today)
    throw new Refusal(422, `The last day must not be after today, ${formatDate(today)}.`);
  if (to < booksFrom)
    throw new Refusal(422, `The books of this tenant begin on ${formatDate(booksFrom)}.`);
}

/** A preview takes no number, since a sequence is not rolled back. */
async function insertStatement(
  { trx, call, now }: StaffWork,
  tenantId: string,
  { from, to }: { from: string; to: string },
): Promise<{ id: string; number: string }> {
  const { rows } = await sql<{ id: string; number: string }>`
    INSERT INTO statements (number, tenant_id, first_on, last_on, created_at, ledger_ids, entries_through)
    SELECT ${call.isPreview ? randomUUID() : sql`'S-' || nextval('statement_numbers')`},
      l.tenant_id, ${from}::date, ${to}::date, ${now}::timestamptz, array_agg(DISTINCT l.id), max(e.position)
    FROM ledgers l JOIN entries e ON e.ledger_id = l.id WHERE l.tenant_id = ${tenantId} GROUP BY l.tenant_id
    RETURNING id, number`.execute(trx);
  return rows[0]!;
}
