import type { Language } from '@gatehouse/language/language';
import { sql, type RawBuilder } from 'kysely';
import type { LimitName } from '#config/limits.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { mergedEmail } from '#emails/merged.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { giveBack, keyOf, takeEach, type Counted } from '#features/base/limits/limits.ts';
import { mailboxOf } from '#features/base/limits/staff-mails.ts';
import { openBlocks } from '#features/base/mail/bodies.ts';
import { ruleOf, type MailRule } from '#features/base/mail/kinds.ts';
import { enqueueMail, queueMail } from '#features/base/mail/mail.ts';

/**
 * What became of a mail. `send`: the caller sends it. `queued`: it had been held, and a job now
 * sends it. `merged`: it and others are one new mail with a job of its own. `done`: it was decided
 * before, such as by another process.
 */
type Decision = 'send' | 'queued' | 'merged' | 'held' | 'dropped' | 'done';

/** A mail that is neither decided nor sent; `address` is the recipient's, folded. */
type Undecided = {
  id: string;
  position: number;
  kind: string;
  about: string;
  tenantId: string | null;
  to: string;
  address: string;
  subject: string;
  blocks: string | null;
  language: Language;
  isHeld: boolean;
};

/** At most this many mails become one, which is drawn and sent within the lease of its job. */
const MOST_IN_ONE = 50;

/**
 * Decides about a mail of a kind with limits. What it counts and what it writes is one transaction,
 * so that a crash leaves the mail either undecided and uncounted or decided. Processes that decide
 * about mails of one kind to one address wait for each other at their count.
 */
export async function decideMail(ctx: Context, id: string): Promise<Decision> {
  const { decision, mails } = await ctx.db
    .transaction()
    .execute((trx) => decideWithin(ctx, trx, id));
  if (decision === 'merged' || decision === 'held' || decision === 'dropped')
    ctx.metrics.mails.inc({ outcome: decision }, mails);
  return decision;
}

async function decideWithin(
  ctx: Context,
  trx: DatabaseTransaction,
  id: string,
): Promise<{ decision: Decision; mails: number }> {
  const [mail] = await findUndecided(trx, sql`id = ${id}`);
  if (mail === undefined) return { decision: 'done', mails: 0 };
  const rule = ruleOf(mail.kind);
  const counted = countedOf(ctx, mail, rule);
  const usedUp = await takeEach(ctx, trx, ctx.clock.now(), counted);
  if (usedUp.length > 0) {
    await warnOfFlood(ctx, trx, usedUp);
    const until = new Date(Math.max(...usedUp.map(({ endsAt }) => endsAt.getTime())));
    const [decision, to] = rule.isDropped
      ? (['dropped', { is_dropped: true, decided_at: ctx.clock.now() }] as const)
      : (['held', { held_until: until }] as const);
    // Another process may have merged it since it was read.
    const { numUpdatedRows } = await trx
      .updateTable('mails')
      .set(to)
      .where('id', '=', id)
      .where('decided_at', 'is', null)
      .where('sent_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n ? { decision, mails: 1 } : { decision: 'done', mails: 0 };
  }
  const together = await lockTogether(trx, mail, rule);
  if (!together.some((one) => one.id === id)) {
    await giveBack(trx, counted);
    return { decision: 'done', mails: 0 };
  }
  if (together.length > 1) {
    await merge(ctx, trx, together, rule);
    return { decision: 'merged', mails: together.length };
  }
  await trx
    .updateTable('mails')
    .set({ decided_at: ctx.clock.now(), blocks: null })
    .where('id', '=', id)
    .execute();
  if (!mail.isHeld) return { decision: 'send', mails: 1 };
  await enqueueMail(ctx, trx, { id, to: mail.to });
  return { decision: 'queued', mails: 1 };
}

/** Those of the mails `which`; `tail` is what follows a WHERE. */
async function findUndecided(
  trx: DatabaseTransaction,
  which: RawBuilder<unknown>,
  tail = sql``,
): Promise<Undecided[]> {
  const { rows } = await sql<Undecided>`
    SELECT id, position, kind, about, tenant_id AS "tenantId", to_address AS to, lower(to_address) AS address, subject,
      blocks, language, held_until IS NOT NULL AS "isHeld"
    FROM mails WHERE decided_at IS NULL AND sent_at IS NULL AND (${which}) ${tail}`.execute(trx);
  return rows;
}

/** The mail and those held that go with it, locked, the oldest first. */
async function lockTogether(
  trx: DatabaseTransaction,
  { id, kind, about, address }: Undecided,
  { merged }: MailRule,
): Promise<Undecided[]> {
  const itself = sql`id = ${id}`;
  const alike = sql`held_until IS NOT NULL AND lower(to_address) = ${address} AND kind = ${kind} AND about = ${about}`;
  const mails = await findUndecided(
    trx,
    merged === null ? itself : sql`${itself} OR ${alike}`,
    sql`ORDER BY id <> ${id}, position LIMIT ${MOST_IN_ONE} FOR UPDATE`,
  );
  return mails.toSorted((one, other) => one.position - other.position);
}

/**
 * Queues one mail in place of several, in the language of the last. They count as sent: that one is
 * sent, as often as needed.
 */
async function merge(
  ctx: Context,
  trx: DatabaseTransaction,
  mails: Undecided[],
  { merged }: MailRule,
): Promise<void> {
  const emails = mails.map(({ id, subject, blocks }) => ({
    subject,
    // Every mail of a kind that is merged was stored with them.
    blocks: openBlocks(ctx.vault, id, blocks!),
  }));
  const of = new Set(mails.map(({ tenantId }) => tenantId));
  const tenantId = of.size === 1 ? mails[0]!.tenantId : null;
  const into = await queueMail(ctx, trx, {
    to: mails[0]!.to,
    kind: 'merged',
    tenantId,
    email: () => mergedEmail(merged!(mails.length), emails),
    language: mails.at(-1)!.language,
  });
  const at = ctx.clock.now();
  await trx
    .updateTable('mails')
    .set({ decided_at: at, sent_at: at, merged_into: into, blocks: null })
    .where(
      'id',
      'in',
      mails.map(({ id }) => id),
    )
    .execute();
}

function countedOf(ctx: Context, mail: Undecided, { limits }: MailRule): Counted[] {
  return limits.flatMap((name) => {
    const parts = partsOf(name, mail);
    return parts === null ? [] : [{ name, key: keyOf(ctx, 'mail', ...parts) }];
  });
}

/** What a limit counts by; null where it does not apply to the mail. */
function partsOf(name: LimitName, { kind, about, tenantId, address }: Undecided): string[] | null {
  switch (name) {
    case 'mails-alike-in-ten-minutes':
      return [address, kind, about];
    case 'mails-of-a-tenant-an-hour':
    case 'mails-of-a-tenant-a-day':
      return tenantId === null ? null : [tenantId];
    case 'mails-by-tenants-an-hour':
    case 'not-on-file-mails-an-hour':
      return [];
    case 'not-on-file-mails-to-an-address-a-day':
      return [mailboxOf(address)];
    default:
      return [address];
  }
}

/** The limits of the whole installation, with what the operator reads when one is used up. */
const sums: Partial<Record<LimitName, (most: number) => string>> = {
  'mails-by-tenants-an-hour': (most) =>
    `What tenants do has caused ${most} mails within an hour; further ones wait until it is over.`,
  'not-on-file-mails-an-hour': (most) =>
    `Lookups of addresses that are not on file have caused ${most} mails within an hour; further ones are dropped until it is over.`,
};

async function warnOfFlood(
  ctx: Context,
  trx: DatabaseTransaction,
  usedUp: { name: LimitName; endsAt: Date }[],
): Promise<void> {
  for (const { name, endsAt } of usedUp) {
    const sentence = sums[name]?.(ctx.config.limits[name].most);
    if (sentence === undefined) continue;
    const until = endsAt.toISOString();
    const key = `mail_flood ${name} ${until}`;
    const facts = { limit: name, until };
    await raiseAlarm(ctx, trx, { kind: 'mail_flood', key, facilityId: null, sentence, facts });
  }
}
