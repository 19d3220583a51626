import { randomUUID, timingSafeEqual } from 'node:crypto';
import { toDollars } from '@gatehouse/contract/money';
import { PAY_LINK_DAYS, payLinkDead } from '@gatehouse/contract/pay-links';
import type { PayLinkRow } from '@gatehouse/contract/staff-pay-links';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import {
  DAY_SECONDS,
  makeLinkToken,
  readLinkToken,
  type LinkKind,
} from '#features/base/links/link-token.ts';
import { hashToken } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';

const kind: LinkKind = {
  purpose: 'pay-link',
  prefix: 'rpt_',
  seconds: PAY_LINK_DAYS * DAY_SECONDS,
  extraBytes: 0,
};

/** A link whose payments were declined so often is dead: a stolen one tests no more cards. */
export const MOST_DECLINES = 10;

const DAY_MS = 86_400_000;

/** The token of a link: the same whenever it is computed, and nowhere stored. */
export function payLinkToken(ctx: Context, link: { id: string; createdAt: Date }): string {
  return makeLinkToken(ctx, kind, link.id, { madeAt: link.createdAt });
}

/** A new link, before its row is there; `token` is stored nowhere. */
export type NewPayLink = { id: string; token: string; createdAt: Date };

/** A link to be inserted in the transaction that queues its mail or answers with it. */
export function newPayLink(ctx: Context, createdAt: Date): NewPayLink {
  const made = { id: randomUUID(), createdAt };
  return { ...made, token: payLinkToken(ctx, made) };
}

/** What a link is for; `by` is who made it, as staff read it. */
type LinkedDebt = { ledgerId: string; cents: number; by: string };

/** Makes a link for what a rental owes now, with its ledger locked. */
export async function insertPayLink(
  trx: DatabaseTransaction,
  { id, token, createdAt, ledgerId, cents, by }: NewPayLink & LinkedDebt,
): Promise<void> {
  await sql`
    INSERT INTO pay_links (id, ledger_id, token_hash, amount_cents, through_position, by_name, created_at)
    VALUES (${id}, ${ledgerId}, ${hashToken(token)}, ${cents},
      (SELECT max(position) FROM entries WHERE ledger_id = ${ledgerId}), ${by}, ${createdAt})`.execute(
    trx,
  );
}

/** The address of the page behind a token (web/src/pay). */
export function payLinkUrl({ config }: Context, token: string): string {
  return `${config.publicUrl}/pay/${token}`;
}

export function endOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + PAY_LINK_DAYS * DAY_MS);
}

/** A link as it is, with its rental. */
export type PayLink = {
  id: string;
  ledgerId: string;
  tenantId: string;
  facilityId: string;
  unitName: string;
  unitKind: string;
  firstName: string;
  operatorName: string;
  timeZone: string;
  amountCents: number;
  /** 0 once it is paid, in whatever way. */
  leftCents: number;
  by: string;
  createdAt: Date;
  state: PayLinkRow['state'];
};

/**
 * The link of a token, in whatever state. Refuses with 404 one that is altered or too old, before
 * the database is asked, and one that is unknown.
 */
export async function getLinkOf(ctx: Context, token: string): Promise<PayLink> {
  const read = readLinkToken(ctx, kind, token);
  if (typeof read === 'string') throw deadLink();
  const row = await ctx.db
    .selectFrom('pay_links')
    .select('token_hash')
    .where('id', '=', read.id)
    .executeTakeFirst();
  if (row === undefined || !timingSafeEqual(row.token_hash, hashToken(token))) throw deadLink();
  return getLink(ctx.db, ctx.clock.now(), read.id);
}

/** A link by its id, which is there. */
export async function getLink(db: Database, now: Date, id: string): Promise<PayLink> {
  const [link] = await readLinks(db, now, sql`p.id = ${id}`);
  if (link === undefined) throw new Error(`there is no pay link ${id}`);
  return link;
}

/** 404: the same for every link that cannot be paid by. */
export function deadLink(): Refusal {
  return new Refusal(404, payLinkDead());
}

const SHOWN_DAYS = 90;

/** The links of a tenant record, newest first, within the places and what `db` reaches. */
export async function findPayLinks(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  tenantId: string,
  places: Places = null,
): Promise<PayLinkRow[]> {
  const now = clock.now();
  const since = new Date(now.getTime() - SHOWN_DAYS * DAY_MS);
  const links = await readLinks(
    db,
    now,
    sql`l.tenant_id = ${tenantId} AND p.created_at > ${since}::timestamptz AND ${within(sql`f.id`, places)}`,
  );
  return links.map((link) => ({
    payLinkId: link.id,
    ledgerId: link.ledgerId,
    unitName: link.unitName,
    amount: toDollars(link.amountCents),
    left: toDollars(link.leftCents),
    by: link.by,
    createdAt: link.createdAt.toISOString(),
    endsAt: endOf(link.createdAt).toISOString(),
    state: link.state,
  }));
}

/**
 * What is left of a link `p`: of its sum, less what was paid since, and of the charges that it was
 * made for. A payment that comes back does not open it again.
 */
const left = sql`greatest(0, least(
  p.amount_cents - (SELECT coalesce(sum(-e.amount_cents), 0) FROM entries e
    WHERE e.ledger_id = p.ledger_id AND e.kind = 'payment' AND e.position > p.through_position),
  (SELECT coalesce(sum(c.owed_cents), 0) FROM open_charges c
    WHERE c.ledger_id = p.ledger_id AND c.position <= p.through_position),
  l.balance_cents))`;

async function readLinks(
  db: Database,
  now: Date,
  isAsked: ReturnType<typeof sql>,
): Promise<PayLink[]> {
  const { rows } = await sql<PayLink>`
    SELECT p.id, l.id AS "ledgerId", l.tenant_id AS "tenantId", f.id AS "facilityId", u.name AS "unitName",
      u.type_name AS "unitKind", t.first_name AS "firstName", c.name AS "operatorName", f.time_zone AS "timeZone",
      p.amount_cents AS "amountCents", reckoned.left AS "leftCents", p.by_name AS by, p.created_at AS "createdAt",
      CASE WHEN p.revoked_at IS NOT NULL THEN 'revoked' WHEN reckoned.left = 0 THEN 'paid'
        WHEN reckoned.declines >= ${MOST_DECLINES} THEN 'declined'
        WHEN p.created_at <= ${now}::timestamptz - make_interval(days => ${PAY_LINK_DAYS}) THEN 'ended' ELSE 'open' END AS state
    FROM pay_links p
    JOIN ledgers l ON l.id = p.ledger_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    JOIN corporations c ON c.id = f.corporation_id
    CROSS JOIN LATERAL (
      SELECT ${left}::bigint AS left, (
        SELECT count(*) FROM pay_link_payments one JOIN payment_intents i ON i.id = one.intent_id
        WHERE one.pay_link_id = p.id AND i.state = 'declined') AS declines
    ) reckoned
    WHERE ${isAsked}
    ORDER BY p.created_at DESC, p.id`.execute(db);
  return rows;
}
