import { timingSafeEqual } from 'node:crypto';
import type { Context } from '#context.ts';
import { keyOf } from '#features/limits/limits.ts';

/** A link is valid for this many days. */
export const LINK_DAYS = 30;

const DAY_SECONDS = 86_400;
const PARTS = { request: 16, expires: 4, recipient: 12, seal: 32 };
const BYTES = Object.values(PARTS).reduce((sum, bytes) => sum + bytes, 0);
const PREFIX = 'rqt_';

/** The content of a valid link: the request and the recipient. */
export type StaffLink = { requestId: string; recipient: Buffer };

type Linked = { requestId: string; facilityId: string; address: string };

/**
 * The URL of the page on which staff act on a request, for one recipient of its mail. The link
 * allows replying to that request and setting its status, nothing else, for LINK_DAYS, and only
 * while the address receives messages of its kind at that facility.
 */
export function makeStaffLink(ctx: Context, { requestId, facilityId, address }: Linked): string {
  const expires = Buffer.alloc(PARTS.expires);
  expires.writeUInt32BE(Math.floor(ctx.clock.now().getTime() / 1000) + LINK_DAYS * DAY_SECONDS);
  const said = Buffer.concat([
    Buffer.from(requestId.replaceAll('-', ''), 'hex'),
    expires,
    markOf(ctx, facilityId, address),
  ]);
  const token = Buffer.concat([said, sealOf(ctx, said)]).toString('base64url');
  return `${ctx.config.publicUrl}/staff/requests/${PREFIX}${token}`;
}

/** Verifies a link's token without a database query, so that forged ones cost little. */
export function readStaffLink(ctx: Context, token: string): StaffLink | 'altered' | 'expired' {
  if (!token.startsWith(PREFIX)) return 'altered';
  const text = token.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64url');
  // Rejects other encodings of the same bytes.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return 'altered';
  const said = bytes.subarray(0, BYTES - PARTS.seal);
  if (!timingSafeEqual(bytes.subarray(BYTES - PARTS.seal), sealOf(ctx, said))) return 'altered';
  if (said.readUInt32BE(PARTS.request) * 1000 <= ctx.clock.now().getTime()) return 'expired';
  const hex = said.subarray(0, PARTS.request).toString('hex');
  return {
    requestId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    recipient: said.subarray(PARTS.request + PARTS.expires),
  };
}

/**
 * The address that the link was mailed to; undefined where it is not a recipient of this facility
 * any more.
 */
export function findAddress(
  ctx: Context,
  link: StaffLink,
  facilityId: string,
  addresses: string[],
): string | undefined {
  return addresses.find((address) => timingSafeEqual(link.recipient, markOf(ctx, facilityId, address)));
}

/** A digest that identifies an address at a facility without revealing it. */
function markOf(ctx: Context, facilityId: string, address: string): Buffer {
  return keyOf(ctx, 'staff-link-recipient', facilityId, address.toLowerCase()).subarray(0, PARTS.recipient);
}

function sealOf(ctx: Context, said: Buffer): Buffer {
  return keyOf(ctx, 'staff-link', said.toString('hex'));
}
