import {
  consentToSign,
  declineDocument,
  getSignedDocument,
  getSigning,
  getSigningLink,
  getSigningPdf,
  signDocument,
  signingLinkDead,
  type SigningView,
  type Strokes,
} from '@gatehouse/contract/signing';
import { useRef, useState } from 'react';
import { call, CallError, CORPORATION_CODE } from '#api/call.ts';
import { request } from '#api/base.ts';
import { readPhone } from '#features/link-page/facility-phone.tsx';
import { getSession } from '#session/session.ts';

/** A document of the tenant who is signed in. */
type Own = { tenantId: string; documentId: string };

/** A name that is typed, and drawn where the signer prefers that. */
export type Signature = { name: string; drawing: Strokes | null };

/** What the page shows; `own` where it was opened from the portal. */
export type Phase = { own: Own | null } & (
  | { kind: 'failed'; message: string }
  | { kind: 'dead'; message: string; phone: string | null }
  | { kind: 'view'; token: string; view: SigningView }
  /** Signed by all; its copy is the tenant's to open. */
  | { kind: 'complete' }
);

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What the last part of the address is for; null for a document without a sign-in. */
export async function openSigning(last: string): Promise<Phase | null> {
  if (!ID.test(last)) return readSigning(last, null);
  const session = getSession();
  if (session === null) return null;
  try {
    for (const { id: tenantId } of session.tenants) {
      const own = { tenantId, documentId: last };
      const link = await request(getSigningLink, own).catch(orNull);
      if (link?.isComplete) return { kind: 'complete', own };
      if (link) return await readSigning(link.token, own);
    }
  } catch (failure) {
    const { status, message } = asCallError(failure);
    return status === 401 ? null : { kind: 'failed', message, own: null };
  }
  return { kind: 'dead', message: signingLinkDead(), phone: await readPhone(), own: null };
}

function ownParams({ tenantId, documentId }: Own) {
  const { locationCode } = getSession()!;
  return { corp: CORPORATION_CODE, locationCode, tenantId, documentId };
}

async function readSigning(token: string, own: Own | null): Promise<Phase> {
  try {
    return { kind: 'view', token, view: await call(getSigning, { params: { token } }), own };
  } catch (failure) {
    const { status, message } = asCallError(failure);
    return status === 404
      ? { kind: 'dead', message, phone: await readPhone(), own }
      : { kind: 'failed', message, own };
  }
}

/** The signed copy of a tenant's own document. */
export function fetchCopy(own: Own) {
  return call(getSignedDocument, { params: ownParams(own) });
}

/** The document behind a token, where it is a PDF. */
export function fetchPdf(token: string) {
  return call(getSigningPdf, { params: { token } });
}

/** The steps of a signer, one at a time; `error` is why the last one failed. */
export function useSigning(first: Phase) {
  const [phase, setPhase] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  // At once, before it is drawn: a second press sends nothing.
  const isSent = useRef(false);
  const token = phase.kind === 'view' ? phase.token : '';

  async function step(send: () => Promise<SigningView>): Promise<void> {
    if (isSent.current) return;
    isSent.current = true;
    setBusy(true);
    setError(null);
    try {
      const view = await send();
      setPhase({ kind: 'view', token, view, own: phase.own });
      scrollTo(0, 0);
    } catch (failure) {
      const { status, message } = asCallError(failure);
      // What was sent may have arrived: what is signed says so.
      const now = status === 0 || status === 404 ? await readSigning(token, phase.own) : phase;
      if (now.kind === 'dead' || (now.kind === 'view' && now.view.state !== 'open')) setPhase(now);
      else setError(message);
    } finally {
      isSent.current = false;
      setBusy(false);
    }
  }
  const params = { token };
  return {
    phase,
    token,
    isBusy,
    error,
    consent: () => step(() => call(consentToSign, { params, body: { agreed: true as const } })),
    sign: (body: Signature & { places: number[] }) =>
      step(() => call(signDocument, { params, body })),
    decline: (reason: string) => step(() => call(declineDocument, { params, body: { reason } })),
  };
}

function orNull(failure: unknown): null {
  if (asCallError(failure).status === 404) return null;
  throw failure;
}

function asCallError(failure: unknown): Pick<CallError, 'status' | 'message'> {
  if (failure instanceof CallError) return failure;
  throw failure;
}
