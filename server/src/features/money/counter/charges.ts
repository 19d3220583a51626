import { randomUUID } from 'node:crypto';
import { addCharge, waiveCharge, writeOffCharges } from '@gatehouse/contract/counter-charges';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import { taxesOf } from '#features/money/billing/bill.ts';
import { findCauselessFee } from '#features/money/billing/late-fees.ts';
import { findGateDebt, gateEffect } from '#features/service/gate-access/effect.ts';
import { unwaivedCents } from '#features/base/ledgers/rules.ts';
import {
  entryCents,
  type NewCharge,
  waiverOf,
  waiverOfRest,
} from '#features/base/ledgers/books.ts';
import { lockBooks, readChargesWhere, readPostedCharges } from '#features/base/ledgers/postings.ts';
import {
  findStaffLedgers,
  getStaffLedgers,
  type StaffLedger,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { postChanges, postChangesWithMail } from './post-changes.ts';

/**
 * `charges.add`: posts a charge that is due on the facility's day. Refuses with 422 taxes on a
 * rental that is not taxed.
 */
export const addChargeTo = workOf(
  addCharge,
  async (on, { ledgerId, category, description, amount, isTaxed }) => {
    const [ledger] = await getStaffLedgers(on, [ledgerId]);
    const { id, tenantId, facilityId, timeZone } = ledger!;
    const today = calendarDateIn(timeZone, on.now);
    const [books] = await lockBooks(on.trx, [id]);
    const readGate = () => findGateDebt(on.ctx, on.trx, { ledgerId: id, today });
    const gateBefore = await readGate();
    const priceCents = toCents(amount);
    const taxes = isTaxed
      ? await taxesFor(on, ledger!, category, priceCents, today)
      : { tax1Cents: 0, tax2Cents: 0 };
    const charge: NewCharge = {
      kind: 'charge',
      id: randomUUID(),
      category,
      description,
      dueOn: today,
      periodEnd: null,
      priceCents,
      discountCents: 0,
      ...taxes,
      lateFor: null,
    };
    const ledgers = await postChangesWithMail(on, [
      { ledger: ledger!, books: books!, changes: [charge] },
    ]);
    return {
      reply: {
        chargeId: charge.id,
        total: toDollars(entryCents(charge)),
        tax1: toDollars(taxes.tax1Cents),
        tax2: toDollars(taxes.tax2Cents),
        gate: gateEffect(gateBefore, await readGate(), today),
        ledgers,
      },
      about: {
        facilityId,
        tenantId,
        ledgerIds: [id],
        details: { charge: charge.id, amount: String(amount) },
      },
    };
  },
);

/**
 * Insurance has its own rates; a rental that is not taxed pays those of insurance only, as billing
 * has it.
 */
async function taxesFor(
  { trx }: StaffWork,
  ledger: StaffLedger,
  category: NewCharge['category'],
  cents: number,
  today: string,
) {
  const rates = await trx
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .innerJoin('facilities as f', 'f.id', 'u.facility_id')
    .select(
      sql<boolean>`CASE WHEN l.scheduled_tax_on <= ${today}::date THEN l.scheduled_tax ELSE l.is_taxed END`.as(
        'is_taxed',
      ),
    )
    .select(['f.rent_tax1_basis_points', 'f.rent_tax2_basis_points'])
    .select(['f.insurance_tax1_basis_points', 'f.insurance_tax2_basis_points'])
    .where('l.id', '=', ledger.id)
    .executeTakeFirstOrThrow();
  if (category === 'insurance')
    return taxesOf(
      { tax1: rates.insurance_tax1_basis_points, tax2: rates.insurance_tax2_basis_points },
      cents,
    );
  if (!rates.is_taxed)
    throw new Refusal(422, `Unit ${ledger.unitName} is not taxed; add the charge without taxes.`);
  return taxesOf({ tax1: rates.rent_tax1_basis_points, tax2: rates.rent_tax2_basis_points }, cents);
}

/**
 * `charges.waive`: takes a charge back, wholly or in part, with the tax in it, and the late fee
 * whose cause goes with it. Refuses with 404 an
 * id that is no charge, and with 422 more than is left of it.
 */
export const waiveChargeOf = workOf(waiveCharge, async (on, { chargeId, amount }) => {
  const row = await on.trx
    .selectFrom('charges')
    .select(['ledger_id', 'description'])
    .where('entry_id', '=', chargeId)
    .executeTakeFirst();
  const [ledger] = row === undefined ? [] : await findStaffLedgers(on, [row.ledger_id]);
  if (row === undefined || ledger === undefined)
    throw new Refusal(404, `There is no charge ${chargeId}.`);
  const [books] = await lockBooks(on.trx, [ledger.id]);
  const charges = await readChargesWhere(
    on.trx,
    ledger.id,
    sql<boolean>`${chargeId}::uuid IN (c.entry_id, c.late_for)`,
  );
  const charge = charges.find(({ id }) => id === chargeId)!;
  const leftCents = unwaivedCents(charge);
  const cents = amount === undefined ? leftCents : toCents(amount);
  if (leftCents === 0) throw new Refusal(422, 'Nothing is left of this charge to waive.');
  if (cents > leftCents)
    throw new Refusal(
      422,
      `At most ${formatMoney(toDollars(leftCents))} is left of this charge to waive.`,
    );
  const waiver = waiverOf(charge, cents, `Waived: ${row.description}`);
  const fee = findCauselessFee(charges, charge, cents);
  const ofFee = fee && waiverOfRest(fee);
  const changes = ofFee === undefined ? [waiver] : [waiver, ofFee];
  const ledgers = await postChangesWithMail(on, [{ ledger, books: books!, changes }]);
  return {
    reply: {
      creditId: waiver.id,
      amount: toDollars(cents),
      tax1: toDollars(waiver.tax1Cents),
      tax2: toDollars(waiver.tax2Cents),
      lateFee: ofFee === undefined ? null : { creditId: ofFee.id, amount: toDollars(ofFee.cents) },
      ledgers,
    },
    about: {
      facilityId: ledger.facilityId,
      tenantId: ledger.tenantId,
      ledgerIds: [ledger.id],
      details: { charge: chargeId, credit: waiver.id, amount: String(toDollars(cents)) },
    },
  };
});

/**
 * `charges.writeOff`: waives what is owed of a rental as bad debt, the oldest charge first, and
 * mails nothing. Refuses with 422 more than is owed.
 */
export const writeOffChargesOf = workOf(writeOffCharges, async (on, { ledgerId, amount }) => {
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { id, tenantId, facilityId, unitName } = ledger!;
  const [books] = await lockBooks(on.trx, [id]);
  const open = books!.charges.toSorted(
    (a, b) => a.dueOn.localeCompare(b.dueOn) || a.position - b.position,
  );
  const owedCents = open.reduce((sum, charge) => sum + charge.owedCents, 0);
  const cents = amount === undefined ? owedCents : toCents(amount);
  if (owedCents === 0) throw new Refusal(422, `Unit ${unitName} owes nothing to write off.`);
  if (cents > owedCents)
    throw new Refusal(422, `Unit ${unitName} owes ${formatMoney(toDollars(owedCents))} only.`);
  const charges = await readPostedCharges(
    on.trx,
    id,
    open.map((charge) => charge.id),
  );
  let rest = cents;
  const changes = open.flatMap((charge) => {
    const part = Math.min(rest, charge.owedCents);
    rest -= part;
    if (part === 0) return [];
    const posted = charges.find((one) => one.id === charge.id)!;
    const waiver = waiverOf(posted, part, `Written off: ${posted.description}`);
    return [{ ...waiver, isWriteOff: true as const }];
  });
  const ledgers = await postChanges(on, [{ ledger: ledger!, books: books!, changes }]);
  const sum = (of: 'tax1Cents' | 'tax2Cents') =>
    toDollars(changes.reduce((all, change) => all + change[of], 0));
  return {
    reply: {
      amount: toDollars(cents),
      tax1: sum('tax1Cents'),
      tax2: sum('tax2Cents'),
      charges: changes.map((change) => ({
        creditId: change.id,
        description: charges.find((one) => one.id === change.charge.id)!.description,
        amount: toDollars(change.cents),
      })),
      ledgers,
    },
    about: {
      facilityId,
      tenantId,
      ledgerIds: [id],
      details: { amount: String(toDollars(cents)) },
    },
  };
});
