import { SIGNING_DAYS, signingLinkDead } from '@gatehouse/contract/signing';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import {
  DAY_SECONDS,
  makeLinkToken,
  readLinkToken,
  type LinkKind,
} from '#features/base/links/link-token.ts';
import { Refusal } from '#errors/refusal.ts';
import { findCaller } from '#http/guard.ts';

/** How a signer came: by the link in a mail, or from the portal, signed in. */
export type Via = 'link' | 'portal';

const kinds: Record<Via, LinkKind> = {
  link: {
    purpose: 'signing-link',
    prefix: 'rdo_',
    seconds: SIGNING_DAYS * DAY_SECONDS,
    extraBytes: 0,
  },
  // The hash of the session's token follows: it opens nothing after the session.
  portal: { purpose: 'signing-in-a-session', prefix: 'rdp_', seconds: 3600, extraBytes: 32 },
};

/** Until when a link that is made at an instant works. */
export function endOfSigning(linkedAt: Date): Date {
  return new Date(linkedAt.getTime() + SIGNING_DAYS * DAY_SECONDS * 1000);
}

/** The token of a signer's link: the same for the same instant, and nowhere stored. */
export function signingToken(
  ctx: Context,
  { signerId, linkedAt }: { signerId: string; linkedAt: Date },
): string {
  return makeLinkToken(ctx, kinds.link, signerId, { madeAt: linkedAt });
}

/** A token by which a signed-in signer signs: for an hour, and no longer than the session. */
export function sessionSigningToken(ctx: Context, signerId: string, tokenHash: Buffer): string {
  return makeLinkToken(ctx, kinds.portal, signerId, { extra: tokenHash });
}

/** The address of the page behind a token (web/src/sign). */
export function signingUrl({ config }: Context, token: string): string {
  return `${config.publicUrl}/sign/${token}`;
}

/** A document with the part of one of its signers in it. */
export type Signing = {
  documentId: string;
  ledgerId: string;
  tenantId: string;
  facilityId: string;
  documentName: string;
  operatorName: string;
  facilityName: string;
  facilityPhone: string | null;
  statusId: number;
  body: string;
  /** Of a PDF as it is read, from the first consent on. */
  pdfKey: string | null;
  pdfHash: Buffer | null;
  pdfBytes: number | null;
  endsAt: Date;
  signerId: string;
  signer: 1 | 2;
  signerName: string;
  linkedAt: Date | null;
  consentedAt: Date | null;
  signedAt: Date | null;
  otherName: string | null;
  via: Via;
  /** Of the session in which the token was made. */
  tokenHash: Buffer | null;
};

/**
 * What a token is for. Refuses with 404, all alike, one that is altered, replaced by a newer one,
 * too old, or for a document that was withdrawn. `isLocked` keeps others out of the document until
 * the transaction ends.
 */
export async function getSigningOf(
  ctx: Context,
  db: Database,
  token: string,
  { isLocked = false } = {},
): Promise<Signing> {
  const via = token.startsWith(kinds.portal.prefix) ? 'portal' : 'link';
  const read = readLinkToken(ctx, kinds[via], token);
  if (typeof read === 'string') throw deadLink();
  if (isLocked)
    await sql`
      SELECT FROM esign_documents WHERE id = (SELECT document_id FROM document_signers WHERE id = ${read.id})
      FOR UPDATE`.execute(db);
  const { rows } = await sql<Omit<Signing, 'via' | 'tokenHash'>>`
    SELECT d.id AS "documentId", l.id AS "ledgerId", l.tenant_id AS "tenantId", f.id AS "facilityId",
      d.form_name AS "documentName", corp.name AS "operatorName", f.name AS "facilityName",
      f.phone AS "facilityPhone", d.envelope_status_id AS "statusId", d.body, d.ends_at AS "endsAt",
      d.pdf_key AS "pdfKey", d.pdf_hash AS "pdfHash", d.pdf_bytes AS "pdfBytes",
      s.id AS "signerId", s.position AS signer, s.name AS "signerName", s.linked_at AS "linkedAt",
      s.consented_at AS "consentedAt", s.signed_at AS "signedAt", other.name AS "otherName"
    FROM document_signers s
    JOIN esign_documents d ON d.id = s.document_id AND d.voided_at IS NULL
    LEFT JOIN document_signers other ON other.document_id = d.id AND other.id <> s.id
    JOIN ledgers l ON l.id = d.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    WHERE s.id = ${read.id}`.execute(db);
  const [signing] = rows;
  if (signing === undefined || signing.linkedAt === null) throw deadLink();
  const { signerId, linkedAt } = signing;
  if (via === 'link' && signingToken(ctx, { signerId, linkedAt }) !== token) throw deadLink();
  const tokenHash = via === 'portal' ? read.extra : null;
  await checkSession(ctx, db, { ...signing, tokenHash });
  return { ...signing, via, tokenHash };
}

/**
 * Refuses with 404 a token of a session that has ended or no longer reaches the record. `isLocked`
 * keeps the session from ending before the transaction does.
 */
export async function checkSession(
  { clock }: Context,
  db: Database,
  { tokenHash, tenantId }: Pick<Signing, 'tokenHash' | 'tenantId'>,
  { isLocked = false } = {},
): Promise<void> {
  if (tokenHash === null) return;
  if (isLocked)
    await sql`SELECT FROM sessions WHERE token_hash = ${tokenHash} FOR KEY SHARE`.execute(db);
  const found = await findCaller(db, clock.now(), tokenHash);
  if (found?.caller.tenantIds.includes(tenantId) !== true) throw deadLink();
}

/** 404: the same for every link that opens nothing. */
export function deadLink(): Refusal {
  return new Refusal(404, signingLinkDead());
}
