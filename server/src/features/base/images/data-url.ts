/**
 * The bytes of a data URL, whose prefix the contract has checked; null for what is no base64.
 * Unlike Node's decoder, this rejects characters outside of base64 and extra bits after the last
 * byte, without a second copy of a large text.
 */
export function bytesOf(dataUrl: string): Buffer | null {
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  if (base64.length === 0 || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return null;
  const bytes = Buffer.from(base64, 'base64');
  const end = bytes.subarray(Math.floor((bytes.length - 1) / 3) * 3);
  return end.toString('base64') === base64.slice(-4) ? bytes : null;
}
