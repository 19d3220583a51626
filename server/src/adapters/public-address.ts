import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { TLSSocket } from 'node:tls';

const PATIENCE_MS = 5000;

type Visit = {
  status: number | null;
  /** Why there was no answer, as a code such as ECONNREFUSED or CERT_HAS_EXPIRED. */
  error: string | null;
  /** Null without TLS. */
  certificateEndsAt: Date | null;
};

/**
 * Asks a public address of this server for a page, as a stranger would; the certificate must be
 * trusted.
 */
export function askAddress(url: string): Promise<Visit> {
  return new Promise((resolve) => {
    const request = (url.startsWith('https:') ? secure : plain)(
      url,
      { agent: false, signal: AbortSignal.timeout(PATIENCE_MS), headers: { accept: 'text/html' } },
      (response) => {
        const { socket, statusCode = 0 } = response;
        const { valid_to: end } =
          'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate() : {};
        response.destroy();
        resolve({
          status: statusCode,
          error: null,
          certificateEndsAt: end === undefined ? null : new Date(end),
        });
      },
    );
    request.on('error', ({ name, code = name }: NodeJS.ErrnoException) =>
      resolve({
        status: null,
        error: code === 'ABORT_ERR' ? 'no answer in 5 s' : code,
        certificateEndsAt: null,
      }),
    );
    request.end();
  });
}
