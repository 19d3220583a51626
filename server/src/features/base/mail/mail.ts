import { randomUUID } from 'node:crypto';
import { emailAddress } from '@gatehouse/contract/text';
import { language, type Language } from '@gatehouse/language/language';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { inLanguage } from '#context/language.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { type Email, forExecutor, withRecord } from '#emails/email.ts';
import { renderEmail } from '#emails/render.ts';
import type { PaperRef } from '#features/base/papers/papers.ts';
import { sealBlocks, sealBody } from './bodies.ts';
import { ruleOf, type MailKind } from './kinds.ts';

/**
 * A mail to queue; its text is deleted after `bodyDays`, and its row later (docs/retention.md). An
 * urgent one, for which a tenant is waiting, is sent before the others. `about` is what mails of
 * the kind must share to be merged, where that is more than the address; `tenantId` the tenant
 * record that it is about, null where it is about a sign-in, an account of staff or the operator.
 * `email` makes it, in the language of its recipient: 'en' for the kinds to staff, the one that is
 * given, or else that of the account which signs in with the address. An account that has none, and
 * an address without account, get the language of the call which causes the mail. It is sent
 * `afterSeconds` at the earliest.
 */
type NewMail = {
  to: string | null;
  email: () => Email;
  language?: Language;
  kind: MailKind;
  about?: string;
  tenantId: string | null;
  paper?: PaperRef;
  bodyDays?: number;
  isUrgent?: boolean;
  afterSeconds?: number;
};

const BODY_DAYS = 90;
const DAY_MS = 86_400_000;

const address = emailAddress('Recipient');

/** The parts of the context that queue a mail. */
export type MailContext = Pick<Context, 'config' | 'clock' | 'enqueue' | 'log' | 'vault'>;

/**
 * Queues a mail to one address in the transaction that makes it necessary: it is sent if and only
 * if that commits. `to` comes from our own records or from the person who asked for the mail, never
 * from a copy in a form. An invalid address, or null for none on record, is logged and nothing is
 * queued. Of a tenant who died it goes to the executor, or is not queued (`isForExecutor`). Returns
 * the mail's id.
 */
export async function queueMail(
  ctx: MailContext,
  trx: DatabaseTransaction,
  {
    to,
    email,
    kind,
    about,
    tenantId,
    paper,
    bodyDays = BODY_DAYS,
    isUrgent = false,
    afterSeconds,
    language: given,
  }: NewMail,
): Promise<string | null> {
  const rule = ruleOf(kind);
  const reader = await findReader(ctx, trx, to ?? '', rule.isToStaff ? null : tenantId);
  const { operatorName, accountLanguage, hasSeveral, estate } = reader;
  if (estate?.isClosed && !rule.isForExecutor) return null;
  const recipient = address.safeParse(estate?.isClosed ? estate.email : to);
  // An imported record may hold an invalid address, and one of a tenant without email has one of
  // `.invalid`, which belongs to no one (RFC 2606); the tenant's action must not fail for that.
  if (!recipient.success || recipient.data.endsWith('.invalid')) {
    const { subject } = inLanguage('en', email);
    ctx.log.warn({ subject }, 'a mail was not queued: it has no valid address');
    return null;
  }
  const mailLanguage = rule.isToStaff ? 'en' : (given ?? accountLanguage ?? language());
  const { blocks, subject, ...body } = inLanguage(mailLanguage, () => {
    const own =
      hasSeveral && tenantId !== null && !rule.isToStaff ? withRecord(email(), tenantId) : email();
    const made =
      estate?.isReader && kind !== 'merged'
        ? forExecutor(own, estate.name, estate.tenantName)
        : own;
    const { publicUrl: url, office } = ctx.config;
    const brand = { name: operatorName, url, officeUrl: office?.url ?? null };
    return { blocks: made.blocks, ...renderEmail(made, brand) };
  });
  const id = randomUUID();
  await trx
    .insertInto('mails')
    .values({
      id,
      to_address: recipient.data,
      subject,
      ...sealBody(ctx.vault, id, body),
      created_at: ctx.clock.now(),
      body_until: new Date(ctx.clock.now().getTime() + bodyDays * DAY_MS),
      kind,
      about,
      tenant_id: tenantId,
      blocks: rule.merged && sealBlocks(ctx.vault, id, blocks),
      language: mailLanguage,
      ...(paper && { paper_kind: paper.kind, paper_id: paper.id }),
    })
    .execute();
  const job = { isUrgent, ...(afterSeconds !== undefined && { afterSeconds }) };
  await enqueueMail(ctx, trx, { id, to: recipient.data }, job);
  return id;
}

/**
 * Of a tenant who died: the executor, whether the address of a mail is the tenant's that is closed,
 * and whether the mail is for the executor; it may be for another signer.
 */
type Estate = {
  name: string;
  email: string | null;
  tenantName: string;
  isClosed: boolean;
  isReader: boolean;
};

/**
 * The operator's name; of the account that signs in with an address its language and whether it has
 * several tenant records; and the estate of the record that a mail is about.
 */
async function findReader(
  { config }: MailContext,
  trx: DatabaseTransaction,
  to: string,
  tenantId: string | null,
): Promise<{
  operatorName: string;
  accountLanguage: Language | null;
  hasSeveral: boolean;
  estate: Estate | null;
}> {
  const row = await trx
    .selectFrom('corporations as c')
    .leftJoin('users as u', (join) =>
      join.onRef('u.corporation_id', '=', 'c.id').on(sql<boolean>`lower(u.email) = lower(${to})`),
    )
    .select(['c.name', 'u.language'])
    .select(
      sql<boolean>`(SELECT count(*) > 1 FROM user_tenants WHERE user_id = u.id)`.as('hasSeveral'),
    )
    .select(
      sql<Estate | null>`(
        SELECT json_build_object('name', e.name, 'email', e.email, 'tenantName', t.name,
          'isClosed', lower(e.closed_email) = lower(${to}),
          'isReader', lower(${to}) IN (lower(e.closed_email), lower(t.email), lower(coalesce(e.email, t.email))))
        FROM estates e JOIN tenants t ON t.id = e.tenant_id WHERE e.tenant_id = ${tenantId}::uuid)`.as(
        'estate',
      ),
    )
    .where('c.code', '=', config.corporationCode)
    .executeTakeFirst();
  return {
    operatorName: row?.name ?? config.mailFrom.name,
    accountLanguage: row?.language ?? null,
    hasSeveral: row?.hasSeveral ?? false,
    estate: row?.estate ?? null,
  };
}

/**
 * The address that a record's mails of a kind for executors go to (`isForExecutor`): the record's
 * own, or the executor's of a tenant who died, which is empty where there is none.
 */
export function mailedAddress(tenantId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(
    SELECT CASE WHEN lower(own.email) = lower(e.closed_email) THEN coalesce(e.email, '') ELSE own.email END
    FROM tenants own LEFT JOIN estates e ON e.tenant_id = own.id WHERE own.id = ${tenantId})`;
}

/** Queues the job that sends a stored mail, in the group of its recipient's domain. */
export function enqueueMail(
  ctx: Pick<Context, 'enqueue'>,
  trx: DatabaseTransaction,
  { id, to }: { id: string; to: string },
  { isUrgent = false, ...later }: { isUrgent?: boolean; afterSeconds?: number } = {},
): Promise<void> {
  return ctx.enqueue(trx, {
    name: 'deliver-mail',
    data: { mailId: id },
    ...later,
    group: to.slice(to.lastIndexOf('@') + 1).toLowerCase(),
    priority: isUrgent ? 1 : 0,
  });
}
