import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { ShownTenant } from '@gatehouse/contract/tenant-records';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { within } from '#db/within.ts';
import { isAuthorizedOn } from '#features/service/gate-access/authorized-persons.ts';
import { findGateWaits, type GateWait } from '#features/service/gate-access/settlement.ts';
import { isSuspendedOn } from '#features/service/gate-access/suspension.ts';
import { rentLateSince } from '#features/base/ledgers/owed-since.ts';
import { daysPastDue } from '#features/base/ledgers/rules.ts';
import { noteShown, type StaffCall } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { namesToJoin } from './joined.ts';
import { recordColumns, recordView, type RecordRow } from './view.ts';

type ShownRow = RecordRow &
  Pick<
    ShownTenant,
    'locationCode' | 'signIn' | 'isMilitary' | 'tags' | 'doNotRent' | 'taxExemptPaper' | 'executor'
  > & { timeZone: string; isReached: boolean };

type LedgerRow = Omit<
  ShownTenant['ledgers'][number],
  'rentalRate' | 'scheduledRate' | 'balance' | 'daysPastDue' | 'waitsForSettlement' | 'openCharges'
> & {
  rateCents: number;
  scheduled: { rateCents: number; on: string } | null;
  balanceCents: number;
  rentLateSince: string | null;
  openCharges: {
    chargeId: string;
    category: string;
    description: string;
    dueOn: string;
    owedCents: number;
  }[];
};

type EntryRow = Omit<ShownTenant['entries'][number], 'amount'> & { cents: number };

/**
 * `tenants.show`: one record with its standing, methods and last entries, and notes in the audit
 * trail that it was shown, before it is. Refuses with 404 one that is not there or of another
 * facility.
 */
export async function showTenant(
  ctx: Context,
  call: Pick<StaffCall, 'by' | 'why' | 'facilityIds'>,
  tenantId: string,
): Promise<ShownTenant> {
  const { facilityId, read } = await findShownTenant(ctx, call, tenantId);
  await noteShown(ctx, 'tenants.show', call, { facilityId, tenantId });
  return read(ctx.db);
}

/**
 * The same for a caller that notes it elsewhere: the record's facility, and what reads the rest of
 * it.
 */
export async function findShownTenant(
  ctx: Context,
  call: Pick<StaffCall, 'facilityIds'>,
  tenantId: string,
): Promise<{ facilityId: string; read: (db: Database) => Promise<ShownTenant> }> {
  const tenant = await findTenant(ctx, call, tenantId);
  if (tenant === undefined) throw new Refusal(404, `There is no tenant record ${tenantId}.`);
  return {
    facilityId: tenant.facility_id,
    read: (db) => readTenant({ ...ctx, db }, call, tenant),
  };
}

async function readTenant(
  ctx: Context,
  { facilityIds }: Pick<StaffCall, 'facilityIds'>,
  tenant: ShownRow,
): Promise<ShownTenant> {
  const { id: tenantId, locationCode, phone, signIn, isMilitary, tags } = tenant;
  const today = calendarDateIn(tenant.timeZone, ctx.clock.now());
  const [unjoinedWith, { ledgers, waits }, methods, entries] = await Promise.all([
    tenant.isReached ? [] : namesToJoin(ctx.db, tenantId, facilityIds),
    readLedgersWithWaits(ctx, tenantId, today),
    readMethods(ctx, tenantId),
    readEntries(ctx, tenantId),
  ]);
  return {
    tenantId,
    locationCode,
    ...recordView(tenant),
    phone,
    ...{ signIn, isMilitary, tags },
    doNotRent: tenant.doNotRent,
    taxExemptPaper: tenant.taxExemptPaper,
    executor: tenant.executor,
    unjoinedWith,
    ledgers: ledgers.map((ledger) => ledgerView(ledger, waits.get(ledger.ledgerId), today)),
    methods,
    entries,
  };
}

async function readLedgersWithWaits(ctx: Context, tenantId: string, today: string) {
  const ledgers = await readLedgers(ctx, tenantId, today);
  const ids = ledgers.map(({ ledgerId }) => ledgerId);
  return { ledgers, waits: await findGateWaits(ctx, ctx.db, ids) };
}

async function findTenant(
  { db }: Context,
  { facilityIds }: Pick<StaffCall, 'facilityIds'>,
  tenantId: string,
): Promise<ShownRow | undefined> {
  const { rows } = await sql<ShownRow>`
    SELECT ${recordColumns}, f.time_zone AS "timeZone", f.location_code AS "locationCode",
      (SELECT CASE WHEN count(*) = 0 THEN 'none' WHEN bool_and(u.disabled_at IS NOT NULL) THEN 'disabled' ELSE 'active' END
        FROM user_tenants ut JOIN users u ON u.id = ut.user_id AND lower(u.email) = lower(t.email)
        WHERE ut.tenant_id = t.id) AS "signIn",
      t.is_military AS "isMilitary", t.tags, t.do_not_rent AS "doNotRent", t.tax_exempt_paper AS "taxExemptPaper",
      (SELECT json_build_object('name', e.name, 'relation', e.relation, 'phone', e.phone, 'email', e.email, 'note', e.note)
        FROM estates e WHERE e.tenant_id = t.id) AS executor,
      is_reached_by_address(t.id) AS "isReached"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.id = ${tenantId} AND ${within(sql`f.id`, facilityIds)}`.execute(db);
  return rows[0];
}

/** Current rentals first, by unit. */
async function readLedgers(ctx: Context, tenantId: string, today: string): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    SELECT l.id AS "ledgerId", u.name AS "unitName", l.rental_rate_cents AS "rateCents", l.balance_cents AS "balanceCents",
      l.paid_through AS "paidThrough", ${rentLateSince} AS "rentLateSince", l.moved_in_on AS "movedInOn", l.moved_out_on AS "movedOutOn",
      NOT is_current_on(l.moved_out_on, ${today}::date) AS "isEnded",
      EXISTS (SELECT FROM move_outs o WHERE o.ledger_id = l.id AND o.statement IS NOT NULL) AS "hasFinalStatement",
      CASE WHEN l.scheduled_rate_on IS NOT NULL
        THEN json_build_object('rateCents', l.scheduled_rate_cents, 'on', l.scheduled_rate_on) END AS scheduled,
      CASE WHEN l.transfer_on IS NOT NULL
        THEN json_build_object('unitName', next.name, 'on', l.transfer_on) END AS transfer,
      (SELECT json_build_object('tenantId', t.id, 'name', t.name) FROM ledgers o JOIN tenants t ON t.id = o.tenant_id
        WHERE o.id = l.continues_ledger_id) AS "cameFrom",
      (SELECT json_build_object('tenantId', t.id, 'name', t.name) FROM ledgers o JOIN tenants t ON t.id = o.tenant_id
        WHERE o.continues_ledger_id = l.id) AS "wentTo",
      CASE WHEN a.active THEN a.payment_method_id END AS "autopayMethodId",
      CASE WHEN m.id IS NOT NULL THEN json_build_object('mandateId', m.id, 'methodId', m.payment_method_id,
        'agreedAt', to_char(m.agreed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) END AS mandate,
      ${isSuspendedOn(ctx, today)} AS "isLockedOut",
      (l.overlocked_at AT TIME ZONE f.time_zone)::date AS "overlockedOn",
      CASE WHEN l.is_on_hold THEN json_build_object('until', h.until_on, 'by', h.by_name, 'why', h.why) END AS hold,
      (SELECT coalesce(json_agg(json_build_object('personId', p.id, 'name', p.name, 'phone', p.phone,
          'lastOn', p.last_on) ORDER BY p.name, p.id), '[]')
        FROM authorized_persons p WHERE p.ledger_id = l.id AND ${isAuthorizedOn(today)}) AS authorized,
      open.charges AS "openCharges"
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    LEFT JOIN units next ON next.id = l.transfer_unit_id
    LEFT JOIN rental_holds h ON h.ledger_id = l.id
    LEFT JOIN autopays a ON a.ledger_id = l.id
    LEFT JOIN mandates m ON m.id = a.mandate_id AND NOT EXISTS (SELECT FROM mandate_ends e WHERE e.mandate_id = m.id)
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('chargeId', c.entry_id, 'category', c.category,
        'description', c.description, 'dueOn', c.due_on, 'owedCents', c.owed_cents) ORDER BY c.due_on, c.position), '[]')
        AS charges
      FROM open_charges c WHERE c.ledger_id = l.id AND l.balance_cents > 0
    ) open
    WHERE l.tenant_id = ${tenantId}
    ORDER BY "isEnded", u.name, l.id`.execute(ctx.db);
  return rows;
}

function ledgerView(
  { rateCents, balanceCents, rentLateSince: since, scheduled, openCharges, ...ledger }: LedgerRow,
  wait: GateWait | undefined,
  today: string,
) {
  return {
    ...ledger,
    rentalRate: toDollars(rateCents),
    scheduledRate: scheduled && { rate: toDollars(scheduled.rateCents), on: scheduled.on },
    balance: toDollars(balanceCents),
    daysPastDue: daysPastDue(since, today),
    waitsForSettlement: wait === undefined ? null : { date: wait.date, reason: wait.reason },
    openCharges: openCharges.map(({ owedCents, ...charge }) => ({
      ...charge,
      owed: toDollars(owedCents),
    })),
  };
}

async function readMethods({ db }: Context, tenantId: string): Promise<ShownTenant['methods']> {
  const rows = await db
    .selectFrom('payment_methods')
    .select(['id', 'type', 'brand', 'last_four', 'expires_on', 'refused_at'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ id, type, brand, last_four, expires_on, refused_at }) => ({
    methodId: id,
    type,
    description: `${brand} ending in ${last_four}`,
    expiresOn: expires_on,
    isRefused: refused_at !== null,
  }));
}

const ENTRIES = 20;

async function readEntries({ db }: Context, tenantId: string): Promise<ShownTenant['entries']> {
  const { rows } = await sql<EntryRow>`
    SELECT e.id AS "entryId", l.id AS "ledgerId", u.name AS "unitName", e.kind, e.posted_on AS "postedOn",
      e.amount_cents AS cents, p.receipt_number AS "receiptNumber",
      coalesce(c.description, p.description, cr.description, r.description) AS description
    FROM ledgers l JOIN units u ON u.id = l.unit_id
    CROSS JOIN LATERAL (
      SELECT * FROM entries WHERE ledger_id = l.id ORDER BY position DESC LIMIT ${sql.lit(ENTRIES)}
    ) e
    LEFT JOIN charges c ON c.entry_id = e.id
    LEFT JOIN payments p ON p.entry_id = e.id
    LEFT JOIN credits cr ON cr.entry_id = e.id
    LEFT JOIN reversals r ON r.entry_id = e.id
    WHERE l.tenant_id = ${tenantId}
    ORDER BY e.position DESC LIMIT ${sql.lit(ENTRIES)}`.execute(db);
  return rows.map(({ cents, ...entry }) => ({ ...entry, amount: toDollars(cents) }));
}
