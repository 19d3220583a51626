import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config/config.ts';
import { Refusal } from '#errors/refusal.ts';
import { HEALTH } from './hosts.ts';

/** A network that a call came from; `times` is how many households' worth of calls it may do. */
type Network = { network: string; times: number };

/**
 * The networks of an address, the narrowest first. One of IPv4 is itself; one of IPv6 is in a
 * network of 64 bits, which a household has at least, and in those of 56 and 48 bits around it,
 * which one customer may have too: they count as 4 and 16 households, not as 256 and 65,536. An
 * IPv4 address that is written as IPv6 is IPv4. A port that a proxy adds is ignored, since each
 * would count as another network; what is no address, as of a socket without one, is one network,
 * `unknown`.
 */
export function networksOf(given: string): [Network, ...Network[]] {
  const ip = bareAddress(given);
  if (ip === null) return [{ network: 'unknown', times: 1 }];
  if (!isIPv6(ip)) return [{ network: ip, times: 1 }];
  const groups = groupsOf(ip);
  const [a, b, c, d, , , high, low] = groups as Groups;
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [{ network: [high >> 8, high & 255, low >> 8, low & 255].join('.'), times: 1 }];
  const written = (...parts: number[]) => parts.map((group) => group.toString(16)).join(':');
  return [
    { network: written(a, b, c, d), times: 1 },
    { network: `${written(a, b, c, d & 0xff00)}/56`, times: 4 },
    { network: `${written(a, b, c)}/48`, times: 16 },
  ];
}

/** An address without port, brackets and zone; null for what is no address. */
function bareAddress(given: string): string | null {
  const ip = given
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return isIP(ip) === 0 ? null : ip;
}

type Groups = [number, number, number, number, number, number, number, number];

/** The eight groups of an IPv6 address. */
function groupsOf(ip: string): number[] {
  // The URL parser writes the address in its one canonical form.
  const [head = '', tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::');
  const read = (part: string) =>
    part
      .split(':')
      .filter((group) => group !== '')
      .map((group) => Number.parseInt(group, 16));
  const [start, end] = [read(head), read(tail ?? '')];
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
}

/**
 * Refuses with 400 a request whose `X-Forwarded-For` names no address where a trusted proxy adds
 * one: the callers of a proxy that is set up wrongly would share the limits of one network.
 */
export function requireAddress(app: FastifyInstance, trustedHops: number): void {
  app.addHook('onRequest', ({ raw, url }, _reply, done) => {
    const address = addressOf(raw, trustedHops);
    const isFit = address === ownAddress(raw) || bareAddress(address) !== null || HEALTH.test(url);
    done(
      isFit
        ? undefined
        : new Refusal(400, 'X-Forwarded-For does not end with an address. The proxy must add one.'),
    );
  });
}

/**
 * The client of a request, for a share of what all clients use: its widest network, because 65,536
 * IPv6 networks of 64 bits cost no more than one.
 */
export function clientOf(
  request: IncomingMessage,
  { trustedHops }: Pick<Config, 'trustedHops'>,
): string {
  return networksOf(addressOf(request, trustedHops)).at(-1)!.network;
}

/**
 * The address that a request comes from: the socket's or, behind proxies, what the last trusted one
 * has added to `X-Forwarded-For`. As Fastify resolves `request.ip`, also in front of it.
 */
export function addressOf(request: IncomingMessage, trustedHops: number): string {
  const forwarded = request.headers['x-forwarded-for'];
  const own = ownAddress(request);
  if (trustedHops === 0 || typeof forwarded !== 'string') return own;
  const named = forwarded.split(',').map((one) => one.trim());
  const addresses = [...named.filter((one) => one !== ''), own];
  return addresses.at(-1 - trustedHops) ?? addresses[0]!;
}

/** The socket's; empty for one that has none. */
function ownAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}
