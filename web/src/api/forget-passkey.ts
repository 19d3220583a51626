/**
 * Tells the browser that a passkey cannot sign in any more, so that it is not offered again
 * (WebAuthn, level 3: signalUnknownCredential). Does nothing in a browser without that call.
 */
export async function forgetPasskey(credentialId: string): Promise<void> {
  if (typeof PublicKeyCredential === 'undefined') return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const rpId = location.hostname;
  await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => {});
}
