import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '#config/private-addresses.ts';
import type { Config } from '#config/config.ts';
import { isOfficeRoute } from './access.ts';
import { notFound, Refusal } from '#errors/refusal.ts';

/** The URLs that whatever watches the process reads, under any name; the same for everybody. */
export const HEALTH = /^\/(healthz|readyz)(\?|$)/;

/**
 * Refuses with 421 a request for a host that is not this server: by DNS rebinding a page of another
 * site would otherwise read a server on the visitor's machine or network, such as the mailbox of a
 * sandbox. Ours are the hosts of `urls`, which `setting` names; the address that the connection was
 * made to; and loopback names in requests from this machine. A proxy often sends a loopback name
 * for any client: through one it counts only with `trustedHops` and in `urls`. Refuses with 400 a
 * request with several hosts, of which a proxy may have read another one.
 */
export function refuseOtherHosts(
  app: FastifyInstance,
  urls: string[],
  setting: string,
  trustedHops = 0,
): void {
  const own = urls.map(hostOf);
  app.addHook('onRequest', (request, _reply, done) => {
    if (countHosts(request) > 1) done(new Refusal(400, 'A request names one host.'));
    else if (HEALTH.test(request.url) || isOwnHost(request, own, trustedHops)) done();
    else {
      const says = `This server does not serve that host. ${setting} names the one it does.`;
      done(new Refusal(421, says));
    }
  });
}

/** Node keeps the first of several. */
function countHosts({ raw: { rawHeaders } }: FastifyRequest): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
}

/** Where a password manager is led to change a password (W3C, change-password-url). */
export const CHANGE_PASSWORD = '/.well-known/change-password';

/** What both hosts answer: reports of browsers about either page. */
const SHARED = /^\/api\/policy-reports$/;

/**
 * Answers 404 for the office on the portal's host, and for all else on the office's, so that no
 * page of one origin can call the other. By the route that was found, because a path can be written
 * in several ways.
 */
export function separateOffice(app: FastifyInstance, office: Config['office']): void {
  const own = office?.isApart === true ? hostOf(office.url) : null;
  app.addHook('onRequest', (request, reply, done) => {
    const isOffice = isOfficeRoute(request);
    const route = request.routeOptions.url ?? '';
    const isThere = own !== null && nameOf(request.headers.host ?? '') === own;
    // Staff have a new password by an invitation, which who manages the staff sends them.
    if (isThere && (request.url === '/' || request.url === CHANGE_PASSWORD))
      void reply.redirect('/office');
    else if (office === null ? isOffice : own !== null && isOffice !== isThere)
      done(HEALTH.test(request.url) || SHARED.test(route) ? undefined : notFound());
    else done();
  });
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}

function isOwnHost(request: FastifyRequest, own: string[], trustedHops: number): boolean {
  const { headers, socket } = request;
  // HTTP/1.0 has none; what a browser sends always has one.
  if (headers.host === undefined) return true;
  const name = nameOf(headers.host);
  if (name === null) return false;
  if (isLoopbackHost(name) && isPassedOn(request)) return trustedHops > 0 && own.includes(name);
  const isFromHere = isLoopbackHost(asHost(socket.remoteAddress));
  return (
    own.includes(name) ||
    (isLoopbackHost(name) && isFromHere) ||
    name === asHost(socket.localAddress)
  );
}

/** Whether a proxy says that it passed the request on. */
function isPassedOn({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) =>
    /^(x-forwarded-.+|x-real-ip|forwarded|via)$/.test(name),
  );
}

/** The host without its port, as a URL has it; null for what is none. */
function nameOf(host: string): string | null {
  const url = `http://${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

/** An address of a connection, as a URL has it. */
function asHost(given = ''): string {
  const address = given.replace(/^::ffff:/i, '');
  return address.includes(':') ? `[${address}]` : address;
}
