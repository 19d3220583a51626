import { timingSafeEqual } from 'node:crypto';
import type { Context } from '#context/context.ts';
import { keyOf } from '#features/limits/limits.ts';
import {
  DAY_SECONDS,
  makeLinkToken,
  readLinkToken,
  type LinkKind,
} from '#features/links/link-token.ts';

/** A link is valid for this many days. */
export const LINK_DAYS = 30;

const kind: LinkKind = {
  purpose: 'staff-link',
  prefix: 'rqt_',
  seconds: LINK_DAYS * DAY_SECONDS,
  extraBytes: 12,
};

/** The content of a valid link: the request and the recipient. */
export type StaffLink = { requestId: string; recipient: Buffer };

type Linked = { requestId: string; facilityId: string; address: string };

/**
 * The URL of the page on which staff act on a request, for one recipient of its mail. The link
 * allows replying to that request and setting its status, nothing else, for LINK_DAYS, and only
 * while the address receives messages of its kind at that facility.
 */
export function makeStaffLink(ctx: Context, { requestId, facilityId, address }: Linked): string {
  const token = makeLinkToken(ctx, kind, requestId, {
    extra: markOf(ctx, facilityId, address),
  });
  return `${ctx.config.publicUrl}/staff/requests/${token}`;
}

/** Verifies a link's token. */
export function readStaffLink(ctx: Context, token: string): StaffLink | 'altered' | 'expired' {
  const read = readLinkToken(ctx, kind, token);
  return typeof read === 'string' ? read : { requestId: read.id, recipient: read.extra };
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
  return addresses.find((address) =>
    timingSafeEqual(link.recipient, markOf(ctx, facilityId, address)),
  );
}

/** A digest that identifies an address at a facility without revealing it. */
function markOf(ctx: Context, facilityId: string, address: string): Buffer {
  return keyOf(ctx, 'staff-link-recipient', facilityId, address.toLowerCase()).subarray(
    0,
    kind.extraBytes,
  );
}
