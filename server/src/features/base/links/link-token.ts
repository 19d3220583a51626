import { timingSafeEqual } from 'node:crypto';
import type { Context } from '#context/context.ts';
import { keyOf } from '#features/base/limits/limits.ts';

const ID_BYTES = 16;
const EXPIRES_BYTES = 4;
const SEAL_BYTES = 32;
/** The year 2106, the last second that four bytes can name. */
const NEVER = 0xffff_ffff;

/**
 * A kind of link; a token of one purpose does not open another. It works for so many `seconds`,
 * null for as long as its row is there. `extraBytes` follow the id.
 */
export type LinkKind = {
  purpose: string;
  prefix: string;
  seconds: number | null;
  extraBytes: number;
};

/** For kinds that last for days. */
export const DAY_SECONDS = 86_400;

/**
 * A token for the link to the row with this id, sealed with the server's key: it needs no row to be
 * verified. It works for the kind's seconds from `madeAt`; the same arguments give the same token.
 */
export function makeLinkToken(
  ctx: Context,
  kind: LinkKind,
  id: string,
  { extra = Buffer.alloc(0), madeAt = ctx.clock.now() }: { extra?: Buffer; madeAt?: Date } = {},
): string {
  const expires = Buffer.alloc(EXPIRES_BYTES);
  expires.writeUInt32BE(
    kind.seconds === null ? NEVER : Math.floor(madeAt.getTime() / 1000) + kind.seconds,
  );
  const said = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), expires, extra]);
  return kind.prefix + Buffer.concat([said, sealOf(ctx, kind, said)]).toString('base64url');
}

/** Verifies a token without a database query, so that forged ones cost little. */
export function readLinkToken(
  ctx: Context,
  kind: LinkKind,
  token: string,
): { id: string; extra: Buffer } | 'altered' | 'expired' {
  if (!token.startsWith(kind.prefix)) return 'altered';
  const text = token.slice(kind.prefix.length);
  const bytes = Buffer.from(text, 'base64url');
  // Rejects other encodings of the same bytes.
  if (bytes.toString('base64url') !== text) return 'altered';
  if (bytes.length !== ID_BYTES + EXPIRES_BYTES + kind.extraBytes + SEAL_BYTES) return 'altered';
  const said = bytes.subarray(0, -SEAL_BYTES);
  if (!timingSafeEqual(bytes.subarray(-SEAL_BYTES), sealOf(ctx, kind, said))) return 'altered';
  if (said.readUInt32BE(ID_BYTES) * 1000 <= ctx.clock.now().getTime()) return 'expired';
  const hex = said.subarray(0, ID_BYTES).toString('hex');
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    extra: said.subarray(ID_BYTES + EXPIRES_BYTES),
  };
}

function sealOf(ctx: Context, { purpose }: LinkKind, said: Buffer): Buffer {
  return keyOf(ctx, purpose, said.toString('hex'));
}
