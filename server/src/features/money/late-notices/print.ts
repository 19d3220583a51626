import { toDollars } from '@gatehouse/contract/money';
import { printLateLetters } from '@gatehouse/contract/late-notices';
import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import type { Letter } from '#db/tables.ts';
import { within, type Places } from '#db/within.ts';
import { notFound } from '#errors/refusal.ts';
import {
  issuerOf,
  type FacilityColumns,
  type TenantColumns,
} from '#features/base/papers/letterhead.ts';
import type { PaperFile } from '#features/base/papers/papers.ts';
import { type StaffWork, workOf } from '#features/base/staff-actions/staff-actions.ts';
import { addressLines, facilityLines } from '#papers/letterhead.ts';
import { lettersPaper } from '#papers/letter.ts';
import { filled, getNamed, owedCents, skipEarlier, sort, type Tenant } from './named.ts';

/**
 * `notices.print`. Refuses and skips as `notices.send` does, and skips whom a letter was printed to
 * today or whose record has no address for mail.
 */
export const printLateLettersOf = workOf(printLateLetters, async (on, { ledgerIds, ...notice }) => {
  const { facilityId, today, tenants } = await getNamed(on, ledgerIds);
  const addresses = await findAddresses(on, tenants);
  const { able, skipped } = sort(tenants, ({ tenantId }) => {
    const { street1, city } = addresses.get(tenantId)!.tenantAddress;
    return street1 === '' || city === '' ? 'No postal address is on file.' : null;
  });
  const written = able.map((tenant) => ({
    tenant,
    letter: {
      ...namesOf(addresses.get(tenant.tenantId)!),
      ...filled(notice, tenant, today),
      on: today,
      units: tenant.units.map(({ unitName, since, cents }) => ({ unitName, since, cents })),
    },
  }));
  const isNew = await insertLetters(on, written, today);
  const earlier = await skipEarlier(on, 'late_letters', { able, isNew, today });
  const letters = written.filter(({ tenant }) => isNew.has(tenant.tenantId));
  const [one] = letters;
  const first = one?.letter;
  return {
    reply: {
      recipients: letters.length,
      first: first ? { to: first.to.join('\n'), subject: first.subject, text: first.text } : null,
      skipped: [...skipped, ...earlier],
      printingId: on.call.key,
    },
    about: {
      facilityId,
      ledgerIds: letters.flatMap(({ tenant }) => tenant.units.map(({ ledgerId }) => ledgerId)),
      details: { subject: notice.subject, recipients: String(letters.length) },
    },
    told: one && {
      verb: 'records.show',
      about: {
        facilityId,
        tenantId: one.tenant.tenantId,
        details: { shows: 'Letter', rows: '1' },
      },
    },
  };
});

type Addresses = FacilityColumns & TenantColumns;

async function findAddresses(
  { trx }: StaffWork,
  tenants: Tenant[],
): Promise<Map<string, Addresses>> {
  const ids = tenants.map(({ tenantId }) => tenantId);
  const { rows } = await sql<Addresses & { id: string }>`
    SELECT t.id, ${issuerOf} FROM tenants t JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id WHERE t.id = ANY(${ids}::uuid[])`.execute(
    trx,
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

function namesOf({ tenantName, tenantAddress, ...facility }: Addresses) {
  return {
    from: facilityLines(facility),
    to: [tenantName, ...addressLines(tenantAddress)],
  };
}

/**
 * Keeps the letter of each tenant's day, and answers the tenants whose letter is new. Waits for
 * another printing to the same tenants, hence their fixed order.
 */
async function insertLetters(
  { trx, call, now }: StaffWork,
  written: { tenant: Tenant; letter: Letter }[],
  today: string,
): Promise<Set<string>> {
  const ids = written.map(({ tenant }) => tenant.tenantId);
  const letters = written.map(({ letter }) => JSON.stringify(letter));
  const owed = written.map(({ tenant }) => owedCents(tenant));
  const { rows } = await sql<{ id: string }>`
    INSERT INTO late_letters (tenant_id, on_day, printing_id, letter, owed_cents, by_name, created_at)
    SELECT id, ${today}::date, ${call.key}, letter, cents, ${call.by}, ${now}
    FROM unnest(${ids}::uuid[], ${letters}::jsonb[], ${owed}::bigint[]) AS written (id, letter, cents) ORDER BY id
    ON CONFLICT DO NOTHING RETURNING tenant_id AS id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Draws what was printed at once, or of it the letter to one tenant record, as it was printed.
 * Refuses with 404 where there is none in reach.
 */
export async function drawLetters(
  { db }: Context,
  printing: { printingId: string; tenantId?: string | undefined },
  places: Places,
): Promise<PaperFile> {
  const { rows } = await sql<{ letter: Letter; at: Date }>`
    SELECT n.letter, n.created_at AS at FROM late_letters n JOIN tenants t ON t.id = n.tenant_id
    WHERE n.printing_id = ${printing.printingId} AND ${within(sql`t.facility_id`, places)}
      AND (${printing.tenantId ?? null}::uuid IS NULL OR t.id = ${printing.tenantId ?? null}::uuid)
    ORDER BY t.last_key, t.first_key, t.id`.execute(db);
  const [first, ...others] = rows;
  if (first === undefined) throw notFound();
  const letters: [Letter, ...Letter[]] = [first.letter, ...others.map(({ letter }) => letter)];
  const { drawPaper } = await import('#papers/draw.ts');
  return {
    fileName: `letters-${first.letter.on}.pdf`,
    contentType: 'application/pdf',
    content: await drawPaper(lettersPaper(letters, first.at)),
  };
}

/** The letters to a tenant record, the newest first. */
export async function findLettersTo(
  db: Database,
  tenantId: string,
): Promise<TenantFile['letters']> {
  const rows = await db
    .selectFrom('late_letters')
    .select(['printing_id', 'on_day', 'owed_cents', 'by_name'])
    .where('tenant_id', '=', tenantId)
    .orderBy('on_day', 'desc')
    .execute();
  return rows.map((row) => ({
    printingId: row.printing_id,
    on: row.on_day,
    owed: toDollars(row.owed_cents),
    by: row.by_name,
  }));
}
