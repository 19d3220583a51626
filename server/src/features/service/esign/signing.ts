import {
  COMPLETED_ENVELOPE_STATUS_ID,
  DECLINED_ENVELOPE_STATUS_ID,
  PENDING_ENVELOPE_STATUS_ID,
} from '@gatehouse/contract/esign';
import { formTypes } from '@gatehouse/contract/requests';
import type { Paper } from '@gatehouse/contract/papers';
import {
  placesOf,
  signingAgreement,
  signingConsent,
  signingRequest,
  type SigningView,
  type Strokes,
} from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { documentDeclinedEmail } from '#emails/staff/document-declined.ts';
import { countByNetwork } from '#features/base/limits/limits.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { findRecipients } from '#features/service/requests/recipients.ts';
import type { Origin } from '#http/routes.ts';
import { Refusal } from '#errors/refusal.ts';
import { blocksOf, bodyOf } from './document-body.ts';
import { checkSession, deadLink, endOfSigning, getSigningOf, type Signing } from './link.ts';
import { mailNextLink, noteEvent } from './make.ts';
import { keepReadCopy, openCopy } from './read-copy.ts';
import { documentHash } from './signed-copy.ts';

/** What the holder of a link sees. Refuses with 404 as getSigningOf does, and with 429. */
export async function showSigning(ctx: Context, token: string, ip: string): Promise<SigningView> {
  await countCall(ctx, ip);
  return viewOf(ctx, await getSigningOf(ctx, ctx.db, token));
}

/** The PDF of a document that can be signed. Refuses as showSigning and openCopy do. */
export async function showPdf(ctx: Context, token: string, ip: string): Promise<Paper> {
  await countCall(ctx, ip);
  const signing = await getSigningOf(ctx, ctx.db, token);
  if (viewOf(ctx, signing).state !== 'open') throw deadLink();
  return openCopy(ctx, signing);
}

/**
 * Keeps the words that the signer has agreed to, once, and a PDF that is read from then on. Refuses
 * as showSigning and keepReadCopy do.
 */
export async function giveConsent(
  ctx: Context,
  token: string,
  origin: Origin,
): Promise<SigningView> {
  const prepare = (signing: Signing) => keepReadCopy(ctx, signing);
  return change(ctx, token, origin, prepare, async (trx, signing) => {
    if (signing.consentedAt !== null) return;
    const now = ctx.clock.now();
    const words = [signingRequest(signing), ...signingConsent(signing), signingAgreement()];
    await trx
      .updateTable('document_signers')
      .set({ consented_at: now, consent: words.join('\n') })
      .where('id', '=', signing.signerId)
      .execute();
    await note(trx, signing, origin, { at: now, kind: 'consented' });
  });
}

/** A signature as it was given. */
export type Signature = { name: string; drawing: Strokes | null; places: number[] };

/**
 * Signs at all places of the signer. The last signature completes the document, of which a job
 * makes the signed copy; before, the next signer is mailed. Refuses with 409 before the consent,
 * with 422 where a place is missing.
 */
export async function sign(
  ctx: Context,
  token: string,
  { name, drawing, places }: Signature,
  origin: Origin,
): Promise<SigningView> {
  return change(ctx, token, origin, null, async (trx, signing) => {
    const { documentId, signerId, signer, body, consentedAt } = signing;
    if (consentedAt === null)
      throw new Refusal(409, t('Please agree to read and sign electronically first.'));
    if (placesOf(blocksOf(bodyOf(body)), signer).join() !== places.join())
      throw new Refusal(422, t('Please sign at every place of the document.'));
    const now = ctx.clock.now();
    await trx
      .updateTable('document_signers')
      .set({ signed_at: now, signed_name: name, strokes: drawing && JSON.stringify(drawing) })
      .where('id', '=', signerId)
      .execute();
    await note(trx, signing, origin, { at: now, kind: 'signed' });
    const isLast = signing.otherName === null || signer === 2;
    await trx
      .updateTable('esign_documents')
      .set(
        isLast
          ? { envelope_status_id: COMPLETED_ENVELOPE_STATUS_ID }
          : { ends_at: endOfSigning(now) },
      )
      .where('id', '=', documentId)
      .execute();
    if (isLast) {
      await noteEvent(trx, { documentId, at: now, kind: 'completed', who: signing.operatorName });
      await ctx.enqueue(trx, { name: 'seal-document', data: { documentId } });
    } else await mailNextLink(ctx, trx, documentId, { isNew: true });
    await audit(ctx, trx, origin, [eventOf('document_signed', signing)]);
  });
}

/** Declines the document for all of its signers. */
export async function decline(
  ctx: Context,
  token: string,
  reason: string,
  origin: Origin,
): Promise<SigningView> {
  return change(ctx, token, origin, null, async (trx, signing) => {
    const now = ctx.clock.now();
    await trx
      .updateTable('document_signers')
      .set({ declined_at: now, decline_reason: reason })
      .where('id', '=', signing.signerId)
      .execute();
    await trx
      .updateTable('esign_documents')
      .set({ envelope_status_id: DECLINED_ENVELOPE_STATUS_ID })
      .where('id', '=', signing.documentId)
      .execute();
    await note(trx, signing, origin, { at: now, kind: 'declined' });
    await mailStaff(ctx, trx, signing, reason);
    await audit(ctx, trx, origin, [eventOf('document_declined', signing)]);
  });
}

/** Mails those who get the facility's e-sign requests that a document was declined. */
async function mailStaff(
  ctx: Context,
  trx: DatabaseTransaction,
  { facilityId, ledgerId, tenantId, documentName, signerName }: Signing,
  reason: string,
): Promise<void> {
  const { facilityEmail, unitName } = await trx
    .selectFrom('facilities as f')
    .innerJoin('units as u', 'u.facility_id', 'f.id')
    .innerJoin('ledgers as l', 'l.unit_id', 'u.id')
    .select(['f.email as facilityEmail', 'u.name as unitName'])
    .where('f.id', '=', facilityId)
    .where('l.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  const kind = formTypes.esign;
  for (const { address: to } of await findRecipients(trx, { facilityId, facilityEmail, kind }))
    await queueMail(ctx, trx, {
      to,
      kind: 'document',
      language: 'en',
      tenantId,
      email: () => documentDeclinedEmail({ documentName, signerName, unitName, tenantId, reason }),
    });
}

/**
 * Runs `work` with the document locked if the signer can still sign it, after what `prepare` does
 * outside of the transaction, and returns its state. What is signed or declined stays so: a repeat
 * does nothing.
 */
async function change(
  ctx: Context,
  token: string,
  origin: Origin,
  prepare: ((signing: Signing) => Promise<void>) | null,
  work: (trx: DatabaseTransaction, signing: Signing) => Promise<void>,
): Promise<SigningView> {
  await countCall(ctx, origin.ip);
  if (prepare !== null) {
    const signing = await getSigningOf(ctx, ctx.db, token);
    if (viewOf(ctx, signing).state === 'open') await prepare(signing);
  }
  await ctx.db.transaction().execute(async (trx) => {
    const signing = await getSigningOf(ctx, trx, token, { isLocked: true });
    const { state } = viewOf(ctx, signing);
    if (state !== 'open') return;
    await work(trx, signing);
    // Last, after the signer's row, as what ends a sign-in locks them.
    await checkSession(ctx, trx, signing, { isLocked: true });
  });
  return viewOf(ctx, await getSigningOf(ctx, ctx.db, token));
}

/** Refuses with 404 a document whose time to sign is over. */
function viewOf(ctx: Context, signing: Signing): SigningView {
  const { statusId, signedAt, endsAt, consentedAt, pdfBytes, documentName, ...shown } = signing;
  const isDeclined = statusId === DECLINED_ENVELOPE_STATUS_ID;
  const state = isDeclined ? 'declined' : signedAt !== null ? 'signed' : 'open';
  const isOpen = state === 'open';
  if (isOpen && (statusId !== PENDING_ENVELOPE_STATUS_ID || endsAt <= ctx.clock.now()))
    throw deadLink();
  const read = isOpen && consentedAt !== null ? bodyOf(shown.body) : [];
  const { operatorName, facilityName, facilityPhone, signerName, signer, otherName } = shown;
  return {
    state,
    isComplete: statusId === COMPLETED_ENVELOPE_STATUS_ID,
    documentName,
    operatorName,
    facilityName,
    facilityPhone,
    signerName,
    signer,
    otherName,
    endsAt: endsAt.toISOString(),
    hasConsented: consentedAt !== null,
    blocks: blocksOf(read),
    pdf: Array.isArray(read) ? null : { pages: read.pages, bytes: pdfBytes! },
  };
}

function note(
  trx: DatabaseTransaction,
  { documentId, signerName, via }: Signing,
  { ip, userAgent }: Origin,
  event: { at: Date; kind: 'consented' | 'signed' | 'declined' },
): Promise<void> {
  return noteEvent(trx, { ...event, documentId, who: signerName, via, ip, device: userAgent });
}

function eventOf(kind: 'document_signed' | 'document_declined', signing: Signing) {
  const { documentId, tenantId, facilityId, ledgerId, signer, via, body, pdfHash } = signing;
  const details = {
    document: documentId,
    signer: String(signer),
    via,
    hash: (pdfHash ?? documentHash(body)).toString('hex'),
  };
  return { kind, tenantId, facilityId, ledgerId, details };
}

function countCall(ctx: Context, ip: string): Promise<void> {
  return countByNetwork(
    ctx,
    ip,
    ['signing-calls-a-minute', 'signing-calls-an-hour'],
    t('There were too many tries from your network. Please wait a moment and try again.'),
  );
}
