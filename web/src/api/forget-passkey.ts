/**
 * Tells the browser that a passkey signs in no more, so that it offers it no more (WebAuthn, level
 * 3: signalUnknownCredential). Does nothing in a browser that cannot be told.
 */
export async function forgetPasskey(credentialId: string): Promise<void> {
  if (typeof PublicKeyCredential === 'undefined') return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const rpId = location.hostname;
  await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => {});
}
