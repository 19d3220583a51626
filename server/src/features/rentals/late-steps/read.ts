import { addDays } from '@gatehouse/contract/dates';
import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { GATE_DAYS, RENT_DAYS } from '@gatehouse/contract/reminders';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { todayAt } from '#db/today.ts';
import { lateSince, owedSince } from '#features/base/ledgers/owed-since.ts';
import { findFeeDays } from '#features/money/billing/late-fees.ts';
import { projectNextBills } from '#features/money/billing/projection.ts';
import { chargesMethod } from '#features/money/mandates/mandates.ts';
import { gateDebtColumns, type GateDebt } from '#features/service/gate-access/suspension.ts';
import { findDueReminders } from '../reminders/due.ts';
import { lateSteps, lockedOn, type LateFacts } from './rule.ts';

type Rental = GateDebt &
  Pick<LateFacts, 'overlockedOn' | 'isOnHold' | 'noticedOn' | 'letteredOn'> & {
    ledgerId: string;
    today: string;
    /** Null where nothing is owed. */
    dueOn: string | null;
    owedFrom: string | null;
    paysByAutopay: boolean;
    reminded: { on: string; about: string }[];
  };

/** A rental and its facts, without the reminders to come. */
type Late = { rental: Rental; facts: LateFacts };

/**
 * The steps of a tenant record's rentals that owe, or have rent due within the days of a reminder
 * without autopay, by the rules that run them. `work` reads every row: the record is in reach.
 */
export async function readLateSteps(
  work: Context,
  tenantId: string,
): Promise<TenantFile['lateSteps']> {
  const rentals = await readRentals(work, tenantId);
  const late = await findLate(work.db, rentals);
  const coming = await findComing(work, late);
  return late.map(({ rental: { ledgerId, today }, facts }) => {
    const remindersToCome = coming
      .filter((one) => one.ledgerId === ledgerId)
      .map(({ on }) => ({ on, isDone: false }));
    const reminders = [...facts.reminders, ...remindersToCome];
    return { ledgerId, steps: lateSteps({ ...facts, reminders }, today) };
  });
}

async function readRentals(work: Context, tenantId: string): Promise<Rental[]> {
  const today = todayAt(work.clock.now());
  const { rows } = await sql<Rental>`
    SELECT l.id AS "ledgerId", ${today} AS today, ${gateDebtColumns(work, today)}, l.is_on_hold AS "isOnHold",
      (l.overlocked_at AT TIME ZONE f.time_zone)::date AS "overlockedOn",
      CASE WHEN l.balance_cents > 0 THEN ${lateSince} END AS "dueOn",
      (SELECT min(${owedSince}) FROM open_charges c JOIN entries e ON e.id = c.entry_id WHERE c.ledger_id = l.id) AS "owedFrom",
      EXISTS (SELECT FROM autopays a JOIN payment_methods pm ON pm.id = a.payment_method_id
        WHERE a.ledger_id = l.id AND ${chargesMethod}) AS "paysByAutopay",
      (SELECT coalesce(json_agg(json_build_object('on', r.reminded_on, 'about', r.about_on)), '[]')
        FROM reminders r WHERE r.ledger_id = l.id AND r.place = 0) AS reminded,
      (SELECT coalesce(json_agg(n.on_day), '[]') FROM late_notices n WHERE n.tenant_id = l.tenant_id) AS "noticedOn",
      (SELECT coalesce(json_agg(n.on_day), '[]') FROM late_letters n WHERE n.tenant_id = l.tenant_id) AS "letteredOn"
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.tenant_id = ${tenantId} AND is_current_on(l.moved_out_on, ${today})
    ORDER BY u.name, l.id`.execute(work.db);
  return rows;
}

async function findLate(db: Database, rentals: Rental[]): Promise<Late[]> {
  const ids = rentals.map(({ ledgerId }) => ledgerId);
  const bills = await projectNextBills(db, sql<boolean>`l.id = ANY(${ids}::uuid[])`);
  const late = rentals.flatMap((rental) => {
    const { dueOn, owedFrom, ...debt } = rental;
    if (dueOn !== null) return [{ rental, dueOn, owedFrom: owedFrom ?? dueOn, debt }];
    const bill = bills.get(rental.ledgerId);
    if (bill === undefined || rental.paysByAutopay) return [];
    const balanceCents = rental.balanceCents + bill.cents;
    if (balanceCents <= 0 || addDays(bill.dueOn, -RENT_DAYS) > rental.today) return [];
    const since = rental.graceDays > 0 ? bill.dueOn : null;
    const owing = { ...debt, balanceCents, owedSince: since };
    return [{ rental, dueOn: bill.dueOn, owedFrom: bill.dueOn, debt: owing }];
  });
  const fees = await findFeeDays(
    db,
    late.map(({ rental }) => rental.ledgerId),
    late
      .filter(({ rental }) => rental.dueOn === null)
      .map(({ rental: { ledgerId }, dueOn }) => ({ ledgerId, dueOn })),
  );
  return late.map(({ rental, dueOn, ...owed }) => ({
    rental,
    facts: {
      ...owed,
      dueOn,
      overlockedOn: rental.overlockedOn,
      isOnHold: rental.isOnHold,
      reminders: rental.reminded
        .filter(({ about }) => about >= dueOn)
        .map(({ on }) => ({ on, isDone: true })),
      fees: fees
        .filter(({ ledgerId }) => ledgerId === rental.ledgerId)
        .map(({ on, isDone, cents }) => ({ on, isDone, cents })),
      noticedOn: rental.noticedOn.filter((on) => on > dueOn),
      letteredOn: rental.letteredOn.filter((on) => on > dueOn),
    },
  }));
}

/** The reminders to come, by the rule of each day on which one may be sent. */
async function findComing(
  work: Context,
  late: Late[],
): Promise<{ ledgerId: string; on: string }[]> {
  const days = late.flatMap(({ rental: { ledgerId, today }, facts }) => {
    const locks = lockedOn(facts);
    const soon = addDays(facts.dueOn, -RENT_DAYS);
    const first = soon > today ? soon : today;
    const gate = locks === null ? [] : [addDays(locks, -GATE_DAYS)];
    return [...new Set([first, ...gate.filter((on) => on > today)])].map((on) => ({
      ledgerId,
      on,
    }));
  });
  const found: { ledgerId: string; on: string }[] = [];
  for (const [on, candidates] of Map.groupBy(days, (one) => one.on)) {
    const ids = candidates.map(({ ledgerId }) => ledgerId);
    const due = await findDueReminders(work, work.db, on, sql<boolean>`l.id = ANY(${ids}::uuid[])`);
    found.push(...due.map(({ ledgerId }) => ({ ledgerId, on })));
  }
  return found;
}
