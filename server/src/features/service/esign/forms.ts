import { randomUUID } from 'node:crypto';
import { placesOf } from '@gatehouse/contract/signing';
import type { Paper } from '@gatehouse/contract/papers';
import { addForm, retireForm, type FormRow } from '@gatehouse/contract/staff-documents';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import { paperView, pdfFile } from '#features/base/papers/papers.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import {
  getOneFacility,
  readBody,
  runStaffVerb,
  type StaffCall,
} from '#features/base/staff-actions/staff-actions.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import type { Stamp } from '#papers/stamp-pdf.ts';
import { countFields, needsSecond, parseForm, sampleValues } from './form.ts';
import {
  blocksOfPdf,
  fillPdfForm,
  readPdfForm,
  type PdfDocument,
  type PdfForm,
} from './pdf-form.ts';

/**
 * `forms.add`. Refuses with 409 a name that is in use, with 422 a caller of several facilities, a
 * text as parseForm does, a PDF as readPdfForm does, and a second signer that the form does not
 * have, or needs and lacks, and with 429 too many strangers who sign second.
 */
export async function addFormFor(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof addForm>> {
  const { pdf } = readBody(addForm, body);
  // Before the transaction: it takes a while.
  const read = pdf === undefined ? null : await readPdfForm(pdf);
  return runStaffVerb(ctx, addForm, call, body, async ({ trx, now }, given) => {
    const { name, text = '', isAtMoveIn = false, secondName = null, secondEmail = null } = given;
    const facilityId = getOneFacility(call, 'Name the facility of the form.');
    const blocks = read === null ? parseForm(text) : blocksOfPdf(read.form);
    if (secondName !== null && !needsSecond(blocks))
      throw new Refusal(
        422,
        read === null
          ? 'The text has no {second signature} for a second signer.'
          : 'The PDF has no “second signature” for a second signer.',
      );
    if (secondName === null && isAtMoveIn && needsSecond(blocks))
      throw new Refusal(422, 'A form for each move-in must name its second signer.');
    const formId = randomUUID();
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('document_forms')
      .values({
        id: formId,
        facility_id: facilityId,
        name,
        body: read === null ? text : JSON.stringify(read.form.marks),
        pages: read?.form.pages ?? null,
        pdf: read?.pdf ?? null,
        is_at_move_in: isAtMoveIn,
        second_name: secondName,
        second_email: secondEmail,
        created_at: now,
        by_name: call.by,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (Number(numInsertedOrUpdatedRows) === 0)
      throw new Refusal(409, `There is a form “${name}” already: retire it first.`);
    if (secondEmail !== null)
      await countStaffMail(ctx, trx, { to: secondEmail, staffId: call.staff?.id });
    const places = placesOf(blocks, 1).length + placesOf(blocks, 2).length;
    return {
      reply: {
        formId: call.isPreview ? null : formId,
        name,
        fields: read === null ? countFields(blocks) : read.form.marks.length - places,
        places,
        found: read?.found ?? [],
      },
      about: {
        facilityId,
        details: { form: formId, name, ...(secondEmail !== null && { mailedTo: secondEmail }) },
      },
    };
  });
}

/** `forms.retire`. Refuses with 404 one of another facility, and with 409 one that is retired. */
export function retireFormOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof retireForm>> {
  return runStaffVerb(ctx, retireForm, call, body, async ({ trx, now }, { formId }) => {
    const { rows } = await sql<{ name: string; facilityId: string; retiredBy: string | null }>`
      SELECT name, facility_id AS "facilityId", retired_by AS "retiredBy" FROM document_forms
      WHERE id = ${formId} AND ${within(sql`facility_id`, call.facilityIds)} FOR UPDATE`.execute(
      trx,
    );
    const [form] = rows;
    if (form === undefined) throw new Refusal(404, `There is no form ${formId}.`);
    const { name, facilityId, retiredBy } = form;
    if (retiredBy !== null) throw new Refusal(409, `${retiredBy} has retired this form before.`);
    await trx
      .updateTable('document_forms')
      .set({ retired_at: now, retired_by: call.by })
      .where('id', '=', formId)
      .execute();
    return { reply: { formId, name }, about: { facilityId, details: { form: formId, name } } };
  });
}

/** The forms in use of a facility, by name, without their texts. */
export function readFormNames(
  db: Database,
  facilityId: string,
): Promise<{ formId: string; name: string }[]> {
  return db
    .selectFrom('document_forms')
    .select(['id as formId', 'name'])
    .where('facility_id', '=', facilityId)
    .where('retired_at', 'is', null)
    .orderBy('name')
    .execute();
}

/** The forms in use of the places, by facility and name. */
export async function listForms(db: Database, places: Places): Promise<FormRow[]> {
  const { rows } = await sql<Omit<FormRow, 'createdAt'> & { createdAt: Date }>`
    SELECT d.id AS "formId", f.location_code AS "locationCode", d.name, d.pages,
      CASE WHEN d.pages IS NULL THEN d.body END AS text,
      d.is_at_move_in AS "isAtMoveIn", d.second_name AS "secondName", d.second_email AS "secondEmail",
      d.by_name AS by, d.created_at AS "createdAt"
    FROM document_forms d JOIN facilities f ON f.id = d.facility_id
    WHERE d.retired_at IS NULL AND ${within(sql`f.id`, places)}
    ORDER BY f.location_code, d.name`.execute(db);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/**
 * A PDF form with samples in its fields. Refuses with 404 a text, and a form of another facility.
 */
export async function drawSample(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  formId: string,
  places: Places,
): Promise<Paper> {
  const { rows } = await sql<{ name: string; body: string; pages: number; pdf: Buffer }>`
    SELECT name, body, pages, pdf FROM document_forms
    WHERE id = ${formId} AND pdf IS NOT NULL AND ${within(sql`facility_id`, places)}`.execute(db);
  const [form] = rows;
  if (form === undefined) throw notFound();
  const marks = JSON.parse(form.body) as PdfForm['marks'];
  const { stampPdf } = await import('#papers/stamp-pdf.ts');
  const content = await stampPdf(form.pdf, {
    title: form.name,
    at: clock.now(),
    stamps: fillPdfForm({ pages: form.pages, marks }, sampleValues).marks.map(sampleStamp),
  });
  return paperView(pdfFile(form.name, content));
}

/** A place says which one it is. */
function sampleStamp(mark: PdfDocument['marks'][number]): Stamp {
  if (mark.kind === 'text') return mark;
  const { kind: _, mark: name, signer, ...area } = mark;
  return { ...area, text: signer === 1 ? name : `second ${name}`, size: null };
}
