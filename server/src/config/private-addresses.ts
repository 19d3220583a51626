import { BlockList, isIP, isIPv6 } from 'node:net';

const [ipv4, ipv6] = [new BlockList(), new BlockList()];
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  ipv4.addSubnet(network, bits, 'ipv4');
// All of IPv6 except public unicast (2000::/3), and the ranges that embed IPv4 addresses.
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  ipv6.addSubnet(network, bits, 'ipv6');

/** Whether a network address is not public: this machine, a private network, or reserved. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return isPrivateAddress(mapped);
  if (isIP(plain) === 0) return false;
  // Two lists, because one list would also compare an IPv4 address with IPv6 networks that embed
  // it.
  return isIPv6(plain) ? ipv6.check(plain, 'ipv6') : ipv4.check(plain, 'ipv4');
}

/**
 * Whether a URL's host is this machine by name or address; other names are resolved when they are
 * used.
 */
export function isLoopbackHost(hostname: string): boolean {
  return (
    /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname) || /\.localhost$/i.test(hostname)
  );
}
