import { reminderKinds, type ReminderKind } from '@gatehouse/contract/reminders';
import type { Context } from '#context/context.ts';
import { makeLinkToken, readLinkToken, type LinkKind } from '#features/base/links/link-token.ts';

/** Works as long as mails are kept somewhere: a tenant may stop reminders by an old one. */
const link: LinkKind = {
  purpose: 'reminder-stop',
  prefix: 'rmd_',
  seconds: null,
  extraBytes: 1,
};

/**
 * The address at which the reminders of a kind to a tenant record are stopped without a sign-in. It
 * allows that only, is the same in every mail, and is stored nowhere.
 */
export function stopUrl(ctx: Context, tenantId: string, kind: ReminderKind): string {
  const extra = Buffer.from([reminderKinds.indexOf(kind)]);
  return `${ctx.config.publicUrl}/reminders/${makeLinkToken(ctx, link, tenantId, { extra })}`;
}

/** What the token of such an address stops; null for one that is altered. */
export function readStopToken(
  ctx: Context,
  token: string,
): { tenantId: string; kind: ReminderKind } | null {
  const read = readLinkToken(ctx, link, token);
  if (typeof read === 'string') return null;
  const kind = reminderKinds[read.extra[0]!];
  return kind === undefined ? null : { tenantId: read.id, kind };
}
