/**
 * A mail as it went over the wire: its header lines, unfolded, and its parts with what they say.
 */
export type MailSource = { headers: [name: string, value: string][]; parts: MailPart[] };
export type MailPart = { type: string; text: string };

/** Reads a mail's source; the parts of a part are parts of the mail. */
export function readMail(raw: string): MailSource {
  const { headers, body } = split(raw);
  return { headers, parts: partsOf(headers, body) };
}

/**
 * The one value of a header; all of them with commas where there are more, and the empty text for
 * none.
 */
export function headerOf(headers: MailSource['headers'], wanted: string): string {
  return headers
    .filter(([name]) => name === wanted)
    .map(([, value]) => value)
    .join(', ');
}

function split(raw: string): { headers: MailSource['headers']; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end < 0 ? raw.length : end).replace(/\r\n[ \t]/g, ' ');
  const headers = head.split('\r\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers, body: end < 0 ? '' : raw.slice(end + 4) };
}

function partsOf(headers: MailSource['headers'], body: string): MailPart[] {
  const type = headerOf(headers, 'content-type');
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary !== undefined)
    return body
      .split(`--${boundary}`)
      .slice(1, -1)
      .flatMap((part) => {
        const inner = split(part.replace(/^\r\n/, ''));
        return partsOf(inner.headers, inner.body);
      });
  return [{ type, text: decode(headerOf(headers, 'content-transfer-encoding'), body) }];
}

function decode(encoding: string, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
