import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '#config/private-addresses.ts';
import { Refusal } from '#errors/refusal.ts';

/** The URLs that whatever watches the process reads, under any name; the same for everybody. */
export const HEALTH = /^\/(healthz|readyz)(\?|$)/;

/**
 * Refuses with 421 a request for a host that is not this server: by DNS rebinding a page of another
 * site would otherwise read a server on the visitor's machine or network, such as the mailbox of a
 * sandbox. Ours are the host of PUBLIC_URL, loopback names, and the address that the connection was
 * made to.
 */
export function refuseOtherHosts(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).hostname;
  app.addHook('onRequest', (request, _reply, done) => {
    const isOurs = HEALTH.test(request.url) || isOwnHost(request, own);
    done(
      isOurs
        ? undefined
        : new Refusal(
            421,
            'This server does not serve that host. PUBLIC_URL names the one it does.',
          ),
    );
  });
}

function isOwnHost({ headers, socket }: FastifyRequest, own: string): boolean {
  // HTTP/1.0 has none; what a browser sends always has one.
  if (headers.host === undefined) return true;
  const name = nameOf(headers.host);
  return name !== null && (name === own || isLoopbackHost(name) || name === addressOf(socket));
}

/** The host without its port, as a URL has it; null for what is none. */
function nameOf(host: string): string | null {
  const url = `http://${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

function addressOf({ localAddress = '' }: { localAddress?: string }): string {
  const address = localAddress.replace(/^::ffff:/i, '');
  return address.includes(':') ? `[${address}]` : address;
}
