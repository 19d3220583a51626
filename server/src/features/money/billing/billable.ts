import { sql, type RawBuilder } from 'kysely';
import { anyOf } from '#db/any-of.ts';
import type { Database } from '#db/database.ts';
import type { BillingKind } from '#db/tables.ts';
import { chargesMethod } from '#features/money/mandates/mandates.ts';
import type { Books } from '#features/base/ledgers/books.ts';
import { openChargesOf, openCreditsOf } from '#features/base/ledgers/postings.ts';

/** What a facility bills and how; money in cents, taxes in basis points. */
export type FacilitySettings = {
  facilityId: string;
  timeZone: string;
  billingKind: BillingKind;
  rentTax1: number;
  rentTax2: number;
  insuranceTax1: number;
  insuranceTax2: number;
  cardFeeCents: number;
  rateNoticeDays: number;
};

/** A discount plan of a ledger; with neither share nor sum its terms are not known. */
export type DiscountPlan = {
  id: string;
  name: string;
  basisPoints: number | null;
  amountCents: number | null;
  endedOn: string | null;
};

/** A protection plan of a ledger from one day to another, its premium for a whole period. */
export type PlanTerm = {
  planId: string;
  name: string;
  startsOn: string;
  endsOn: string | null;
  premiumCents: number;
  endedOn: string | null;
};

/**
 * A rate that staff have scheduled; its notice where that is the ledger's last one, and when that
 * went out.
 */
export type ScheduledRate = {
  toCents: number;
  on: string;
  noticeId: string | null;
  noticeSentAt: Date | null;
};

/** Everything that a ledger is billed by, as one reading found it. */
export type BillableLedger = Books & {
  facility: FacilitySettings;
  tenantId: string;
  unitName: string;
  rateCents: number;
  billingDay: number;
  isTaxed: boolean;
  /** Whether it is taxed from a day on. */
  scheduledTax: { isTaxed: boolean; on: string } | null;
  movedOutOn: string | null;
  scheduled: ScheduledRate | null;
  discountPlan: DiscountPlan | null;
  plans: PlanTerm[];
  /** Whether autopay charges a credit card: the card fee is for those only. */
  paysByCreditCard: boolean;
};

type Row = Omit<BillableLedger, 'scheduled'> & {
  scheduledCents: number | null;
  scheduledOn: string | null;
  noticeId: string | null;
  noticeSentAt: Date | null;
};

/**
 * What the ledgers are billed by, in id order, in one query; `ledgerIds` that are none are left
 * out.
 */
export function readBillable(db: Database, ledgerIds: string[]): Promise<BillableLedger[]> {
  return readBillableWhere(db, sql`l.id = ${anyOf(ledgerIds)}`);
}

/** The same of the ledgers `l` that are `which`. */
export async function readBillableWhere(
  db: Database,
  which: RawBuilder<boolean>,
): Promise<BillableLedger[]> {
  const { rows } = await sql<Row>`
    SELECT l.id AS "ledgerId", l.version, l.balance_cents AS "balanceCents", l.billed_through AS "billedThrough",
      f.payment_order AS "paymentOrder", ${openChargesOf(sql.ref('l'))} AS charges,
      ${openCreditsOf(sql.ref('l'))} AS credits,
      json_build_object('facilityId', f.id, 'timeZone', f.time_zone, 'billingKind', f.billing_kind,
        'rentTax1', f.rent_tax1_basis_points, 'rentTax2', f.rent_tax2_basis_points,
        'insuranceTax1', f.insurance_tax1_basis_points, 'insuranceTax2', f.insurance_tax2_basis_points,
        'cardFeeCents', f.card_fee_cents, 'rateNoticeDays', f.rate_notice_days) AS facility,
      l.tenant_id AS "tenantId", u.name AS "unitName", l.rental_rate_cents AS "rateCents",
      l.billing_day AS "billingDay", l.is_taxed AS "isTaxed",
      CASE WHEN l.scheduled_tax_on IS NOT NULL
        THEN json_build_object('isTaxed', l.scheduled_tax, 'on', l.scheduled_tax_on) END AS "scheduledTax", l.moved_out_on AS "movedOutOn",
      l.scheduled_rate_cents AS "scheduledCents", l.scheduled_rate_on AS "scheduledOn",
      n.id AS "noticeId", m.sent_at AS "noticeSentAt",
      CASE WHEN d.id IS NOT NULL THEN json_build_object('id', d.id, 'name', d.name, 'basisPoints', d.basis_points,
        'amountCents', d.amount_cents, 'endedOn', d.ended_on) END AS "discountPlan",
      (SELECT coalesce(json_agg(json_build_object('planId', p.id, 'name', p.description, 'startsOn', lp.starts_on,
          'endsOn', lp.ends_on, 'premiumCents', p.premium_cents, 'endedOn', p.ended_on)), '[]')
        FROM ledger_protection_plans lp JOIN protection_plans p ON p.id = lp.protection_plan_id
        WHERE lp.ledger_id = l.id) AS plans,
      EXISTS (SELECT FROM autopays a JOIN payment_methods pm ON pm.id = a.payment_method_id
        WHERE a.ledger_id = l.id AND ${chargesMethod}
          AND pm.type = 'creditCard' AND pm.funding = 'credit')
        AS "paysByCreditCard"
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    LEFT JOIN discount_plans d ON d.id = l.discount_plan_id
    LEFT JOIN rate_notices n ON n.ledger_id = l.id AND n.effective_on = l.scheduled_rate_on
      AND n.to_cents = l.scheduled_rate_cents AND n.replaced_at IS NULL
    LEFT JOIN mails m ON m.id = n.mail_id
    WHERE ${which}
    ORDER BY l.id`.execute(db);
  return rows.map(({ scheduledCents, scheduledOn, noticeId, noticeSentAt, ...ledger }) => ({
    ...ledger,
    scheduled:
      scheduledCents === null || scheduledOn === null
        ? null
        : { toCents: scheduledCents, on: scheduledOn, noticeId, noticeSentAt },
  }));
}
