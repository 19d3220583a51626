import { getLateLetters } from '@gatehouse/contract/office/late';
import {
  addNote,
  changeNote,
  getFinalStatement,
  getOfficeDocument,
  getOfficeReceipt,
  getOfficeStatement,
  getTenantFile,
  listBooks,
  listTenantMails,
  listTenants,
  viewAsTenant,
} from '@gatehouse/contract/office/tenants';
import { sql } from 'kysely';
import { within } from '#db/within.ts';
import { drawFinalStatement, drawPaperOf, paperView } from '#features/base/papers/papers.ts';
import { notFound } from '#errors/refusal.ts';
import { drawLetters } from '#features/money/late-notices/print.ts';
import type { OfficeRoutes } from '#http/office-routes.ts';
import { readAsTenant } from './as-tenant.ts';
import { findBookLines } from './books.ts';
import { refuseForged } from './keyset.ts';
import { setNoteRemoved, writeNote } from './notes.ts';
import { placesOf } from './places.ts';
import { findMails, findTenantRows, getRecord, readTenantFile } from './tenants.ts';

/** The office's calls about tenant records. */
export function officeTenantRoutes({ staff: staffRoute }: OfficeRoutes): void {
  staffRoute(listTenants, ({ ctx, work, query, staff }) =>
    findTenantRows(ctx, work, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(getTenantFile, ({ ctx, work, params, staff, origin }) =>
    readTenantFile(ctx, work, staff, params.tenantId.toLowerCase(), origin),
  );
  staffRoute(listBooks, async ({ ctx, params, query, staff }) => {
    await getRecord(ctx, staff, params.tenantId);
    return findBookLines(ctx, params.tenantId, query).catch(refuseForged);
  });
  staffRoute(listTenantMails, async ({ ctx, work, params, query, staff }) => {
    const record = await getRecord(ctx, staff, params.tenantId);
    const { email } = record;
    return findMails(work, { tenantId: params.tenantId, email }, query).catch(refuseForged);
  });
  staffRoute(viewAsTenant, async ({ ctx, work, params, staff, origin }) => {
    const record = await getRecord(ctx, staff, params.tenantId);
    const tenantId = params.tenantId.toLowerCase();
    return readAsTenant(work, staff, { tenantId, ...record }, origin);
  });
  staffRoute(addNote, async ({ ctx, work, params, body, staff, origin }) => {
    const { facilityId } = await getRecord(ctx, staff, params.tenantId);
    return writeNote(work, staff, { ...body, tenantId: params.tenantId, facilityId }, origin);
  });
  staffRoute(changeNote, ({ ctx, work, params, body, staff, origin }) =>
    setNoteRemoved(ctx, work, staff, { ...params, ...body }, origin),
  );
  staffRoute(getOfficeReceipt, async ({ ctx, work, params, staff }) => {
    const { rows } = await sql<{ entryId: string }>`
      SELECT p.entry_id AS "entryId" FROM payments p JOIN ledgers l ON l.id = p.ledger_id
      JOIN tenants t ON t.id = l.tenant_id LEFT JOIN payment_intents i ON i.id = p.intent_id
      WHERE (p.receipt_number = ${params.receiptNumber} OR i.receipt_number = ${params.receiptNumber})
        AND ${within(sql`t.facility_id`, placesOf(staff, undefined))} LIMIT 1`.execute(ctx.db);
    if (rows[0] === undefined) throw notFound();
    return paperView(await drawPaperOf(work, { kind: 'receipt', id: rows[0].entryId }));
  });
  staffRoute(getFinalStatement, async ({ ctx, work, params, staff }) => {
    const { rows } = await sql`
      SELECT FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
      WHERE l.id = ${params.ledgerId} AND ${within(sql`t.facility_id`, placesOf(staff, undefined))}`.execute(
      ctx.db,
    );
    const file = rows.length === 0 ? null : await drawFinalStatement(work.db, params.ledgerId);
    if (file === null) throw notFound();
    return paperView(file);
  });
  staffRoute(getOfficeStatement, async ({ ctx, work, params, staff }) => {
    await getRecord(ctx, staff, params.tenantId);
    const row = await ctx.db
      .selectFrom('statements')
      .select('id')
      .where('id', '=', params.statementId)
      .where('tenant_id', '=', params.tenantId)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    return paperView(await drawPaperOf(work, { kind: 'statement', id: row.id }));
  });
  staffRoute(getLateLetters, async ({ ctx, params, query, staff }) =>
    paperView(await drawLetters(ctx, { ...params, ...query }, placesOf(staff, undefined))),
  );
  staffRoute(getOfficeDocument, async ({ ctx, work, params, staff }) => {
    const { rows } = await sql`
      SELECT FROM esign_documents d JOIN ledgers l ON l.id = d.ledger_id JOIN tenants t ON t.id = l.tenant_id
      WHERE d.id = ${params.documentId} AND ${within(sql`t.facility_id`, placesOf(staff, undefined))}`.execute(
      ctx.db,
    );
    if (rows.length === 0) throw notFound();
    return paperView(await drawPaperOf(work, { kind: 'document', id: params.documentId }));
  });
}
