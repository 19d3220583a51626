import { calendarDateIn } from '@gatehouse/contract/dates';
import { listFiles, resendEsignDocuments } from '@gatehouse/contract/esign';
import {
  consentToSign,
  declineDocument,
  getSignedDocument,
  getSigning,
  getSigningLink,
  getSigningPdf,
  signDocument,
} from '@gatehouse/contract/signing';
import type { Routes } from '#http/routes.ts';
import { getOwnLink, getOwnSigned, listDocuments } from './documents.ts';
import { askForDocuments } from './resend.ts';
import { decline, giveConsent, showPdf, showSigning, sign } from './signing.ts';

export function esignRoutes({ guarded, open }: Routes): void {
  guarded(listFiles, ({ ctx, caller, params }) =>
    listDocuments(ctx, params.tenantId, calendarDateIn(caller.timeZone, ctx.clock.now())),
  );

  guarded(resendEsignDocuments, ({ ctx, caller, params, idempotencyKey }) =>
    askForDocuments(ctx, caller, params.ledgerId, idempotencyKey),
  );

  guarded(getSigningLink, ({ ctx, caller, params }) => getOwnLink(ctx, caller, params));

  guarded(getSignedDocument, ({ ctx, params }) => getOwnSigned(ctx, params));

  // The token is a secret: routes are logged by pattern.
  open(getSigning, ({ ctx, params, origin }) => showSigning(ctx, params.token, origin.ip));

  open(getSigningPdf, ({ ctx, params, origin }) => showPdf(ctx, params.token, origin.ip));

  open(consentToSign, ({ ctx, params, origin }) => giveConsent(ctx, params.token, origin));

  open(signDocument, ({ ctx, params, body, origin }) => sign(ctx, params.token, body, origin));

  open(declineDocument, ({ ctx, params, body, origin }) =>
    decline(ctx, params.token, body.reason, origin),
  );
}
