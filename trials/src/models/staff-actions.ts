import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import { closeAlarmOf } from '@gatehouse/server/src/features/base/alarms/staff.ts';
import {
  addChargeTo,
  waiveChargeOf,
} from '@gatehouse/server/src/features/money/counter/charges.ts';
import {
  addCreditTo,
  moveCreditTo,
  payOutCreditOf,
  reverseCreditOf,
} from '@gatehouse/server/src/features/money/counter/credits.ts';
import { recordPaymentFor } from '@gatehouse/server/src/features/money/counter/record-payment.ts';
import { refundPaymentOf } from '@gatehouse/server/src/features/money/payments/refund-payment.ts';
import { reversePaymentOf } from '@gatehouse/server/src/features/money/counter/reverse-payment.ts';
import { moveInOf } from '@gatehouse/server/src/features/rentals/rentals/move-in.ts';
import { moveOutOf } from '@gatehouse/server/src/features/rentals/rentals/move-out.ts';
import { changeCodeOf } from '@gatehouse/server/src/features/service/gate-access/staff.ts';
import {
  overlockUnitOf,
  releaseUnitOf,
} from '@gatehouse/server/src/features/rentals/rentals/overlock.ts';
import { changeRateOf } from '@gatehouse/server/src/features/rentals/rentals/rate.ts';
import { transferUnitOf } from '@gatehouse/server/src/features/rentals/rentals/transfer.ts';
import type { StaffCall } from '@gatehouse/server/src/features/base/staff-actions/staff-actions.ts';
import {
  addTenantRecord,
  changeEmailOf,
} from '@gatehouse/server/src/features/rentals/tenants/staff-records.ts';
import type { ImportFiles } from './import-files.ts';
import type { Random } from '../harness/random.ts';
import type { Simulation } from './simulation.ts';
import { LOCATION_CODE, NOTICE_DAYS, type World } from './world.ts';

/** A verb of staff with its body. */
export type Action = {
  verb: string;
  work: (ctx: Context, call: StaffCall, body: unknown) => Promise<object>;
  body: object;
};

/** The state of the books from which the next action is chosen. */
type Seen = {
  charges: { id: string; cents: number }[];
  credits: { id: string }[];
  payments: { receipt: string; cents: number; type: string }[];
  alarms: string[];
};

const SEEN = `
  SELECT (SELECT coalesce(json_agg(json_build_object('id', e.id, 'cents', e.amount_cents) ORDER BY e.position), '[]')
      FROM entries e WHERE e.kind = 'charge') AS charges,
    (SELECT coalesce(json_agg(json_build_object('id', c.entry_id) ORDER BY e.position), '[]')
      FROM credits c JOIN entries e ON e.id = c.entry_id) AS credits,
    (SELECT coalesce(json_agg(json_build_object('receipt', p.receipt_number, 'cents', -e.amount_cents, 'type', i.type)
      ORDER BY e.position), '[]') FROM payments p JOIN entries e ON e.id = p.entry_id
      JOIN payment_intents i ON i.id = p.intent_id) AS payments,
    (SELECT coalesce(json_agg(id ORDER BY raised_at, id), '[]') FROM alarms WHERE closed_at IS NULL) AS alarms`;

const weights = {
  'charges add': 3,
  'charges waive': 4,
  'credits add': 2,
  'credits move': 2,
  'credits pay-out': 2,
  'credits reverse': 2,
  'payments record': 5,
  'payments refund': 6,
  'payments reverse': 4,
  'rentals move-out': 2,
  'rentals move-out --cancel': 1,
  'rentals move-in': 2,
  'rentals transfer': 2,
  'rentals transfer --cancel': 1,
  'rentals rate': 2,
  'rentals rate --cancel': 1,
  'rentals overlock': 1,
  'rentals release': 1,
  'rentals change-code': 1,
  'tenants add': 1,
  'tenants email': 1,
  'alarms close': 2,
};

/** One action of staff, chosen by the state of the books; null if none is applicable. */
export async function chooseAction(
  sim: Simulation,
  random: Random,
  world: World,
  today: string,
): Promise<Action | null> {
  const [seen] = await sim.look<Seen>(SEEN, []);
  const verb = random.weighted(weights);
  const chosen = actions[verb](seen!, random, world, today);
  return chosen && { verb, ...chosen };
}

type Chosen = Omit<Action, 'verb'> | null;

const actions: Record<
  keyof typeof weights,
  (seen: Seen, random: Random, world: World, today: string) => Chosen
> = {
  'charges add': (_, random, world) => ({
    work: addChargeTo,
    body: {
      ledgerId: someLedger(random, world),
      category: 'fee',
      description: actionText(),
      amount: sum(random, 9000),
    },
  }),
  'charges waive': ({ charges }, random) => {
    if (charges.length === 0) return null;
    const { id, cents } = random.pick(charges);
    return {
      work: waiveChargeOf,
      body: { chargeId: id, ...(random.chance(0.6) && { amount: sum(random, cents) }) },
    };
  },
  'credits add': (_, random, world) => ({
    work: addCreditTo,
    body: {
      ledgerId: someLedger(random, world),
      description: actionText(),
      amount: sum(random, 30_000),
    },
  }),
  'credits move': (_, random, world) => {
    const [from, to] = random.pick(world.renters).rentals;
    return {
      work: moveCreditTo,
      body: { fromLedgerId: from!.ledgerId, toLedgerId: to!.ledgerId, amount: sum(random, 5000) },
    };
  },
  'credits pay-out': (_, random, world) => ({
    work: payOutCreditOf,
    body: { ledgerId: someLedger(random, world), way: 'cash', amount: sum(random, 5000) },
  }),
  'credits reverse': ({ credits }, random) =>
    credits.length === 0
      ? null
      : { work: reverseCreditOf, body: { creditId: random.pick(credits).id } },
  'payments record': (_, random, world) => {
    const { rentals } = random.pick(world.renters);
    const ledgerIds = random.shuffled(rentals).map(({ ledgerId }) => ledgerId);
    const paper = random.pick([
      { type: 'cash' },
      { type: 'check', number: String(random.between(1, 9999)) },
    ]);
    return {
      work: recordPaymentFor,
      body: { ledgerIds, ...paper, amount: sum(random, 25_000), isPrepaid: random.chance(0.7) },
    };
  },
  'payments refund': ({ payments }, random) => {
    if (payments.length === 0) return null;
    const { receipt, cents } = random.pick(payments);
    const way = random.chance(0.2) ? { way: 'cash' } : {};
    const part = random.chance(0.5) ? { amount: sum(random, cents) } : {};
    return { work: refundPaymentOf, body: { receiptNumber: receipt, ...way, ...part } };
  },
  'payments reverse': ({ payments }, random) => {
    const some = payments.filter(({ type }) => type !== 'ach');
    if (some.length === 0) return null;
    const { receipt, type } = random.pick(some);
    const reason = { creditCard: 'chargeback', check: 'nsf' }[type] ?? 'mistake';
    return { work: reversePaymentOf, body: { receiptNumber: receipt.replace(/-.*/, ''), reason } };
  },
  'rentals move-out': (_, random, world, today) => ({
    work: moveOutOf,
    body: {
      ledgerId: someLedger(random, world),
      on: addDays(today, random.pick([0, 3, 20, 40])),
      credit: random.pick(['refund', 'keep']),
    },
  }),
  'rentals move-out --cancel': (_, random, world) => ({
    work: moveOutOf,
    body: { ledgerId: someLedger(random, world), cancel: true },
  }),
  'rentals move-in': (_, random, world, today) => ({
    work: moveInOf,
    body: {
      tenantId: random.pick(world.renters).tenantId,
      unit: someUnit(random, world),
      on: addDays(today, random.pick([0, 0, 5, -20])),
      rate: sum(random, 90_000),
    },
  }),
  'rentals transfer': (_, random, world, today) => ({
    work: transferUnitOf,
    body: {
      ledgerId: someLedger(random, world),
      unit: someUnit(random, world),
      on: addDays(today, random.pick([0, 0, 10])),
      ...(random.chance(0.3) && { rate: sum(random, 5000) }),
    },
  }),
  'rentals transfer --cancel': (_, random, world) => ({
    work: transferUnitOf,
    body: { ledgerId: someLedger(random, world), cancel: true },
  }),
  'rentals rate --cancel': (_, random, world) => ({
    work: changeRateOf,
    body: { ledgerId: someLedger(random, world), cancel: true },
  }),
  'rentals rate': (_, random, world, today) => ({
    work: changeRateOf,
    body: {
      ledgerId: someLedger(random, world),
      amount: sum(random, 90_000),
      on: addDays(today, random.pick([0, NOTICE_DAYS])),
    },
  }),
  'rentals overlock': (_, random, world) => ({
    work: overlockUnitOf,
    body: { ledgerId: someLedger(random, world) },
  }),
  'rentals release': (_, random, world) => ({
    work: releaseUnitOf,
    body: { ledgerId: someLedger(random, world) },
  }),
  'rentals change-code': (_, random, world) => ({
    work: changeCodeOf,
    body: { ledgerId: someLedger(random, world) },
  }),
  'tenants add': () => ({
    work: addTenantRecord,
    body: {
      firstName: 'Dana',
      lastName: 'Reyes',
      email: someEmail(),
      phone: '5125550100',
      street1: '1 Main Street',
      city: 'Austin',
      region: 'TX',
      postalCode: '73301',
    },
  }),
  'tenants email': (_, random, world) => ({
    work: changeEmailOf,
    body: { tenantId: random.pick(world.renters).tenantId, email: someEmail() },
  }),
  'alarms close': ({ alarms }, random) =>
    alarms.length === 0 ? null : { work: closeAlarmOf, body: { alarmId: random.pick(alarms) } },
};

function someLedger(random: Random, { renters }: World): string {
  return random.pick(random.pick(renters).rentals).ledgerId;
}

/** The name of a unit that may be rented or not. */
function someUnit(random: Random, { renters, vacant }: World): string {
  return random.pick([...vacant, ...renters.flatMap(({ rentals }) => rentals)]).unitName;
}

function someEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** A unique description, by which the books show that the action was done once. */
function actionText(): string {
  return `Staff action ${randomUUID()}`;
}

/** Dollars, of at most this many cents. */
function sum(random: Random, mostCents: number): number {
  return random.between(1, mostCents) / 100;
}

/** The entries that a verb's reply names. */
export function entriesIn(reply: object): string[] {
  const named = reply as {
    creditId?: string;
    creditIds?: string[];
    chargeId?: string;
    reversalId?: string;
    reversals?: { reversalId: string }[];
  };
  const { creditId, creditIds = [], chargeId, reversalId, reversals = [] } = named;
  const reversalIds = reversals.map((one) => one.reversalId);
  const all = [creditId, ...creditIds, chargeId, reversalId, ...reversalIds];
  return all.filter((id) => id !== undefined);
}

/** Files with a charge and a payment of a rental. */
export function filesOf(random: Random, world: World, today: string): ImportFiles {
  const ledgerId = someLedger(random, world);
  const line = (...cells: string[]) => [LOCATION_CODE, randomUUID(), ledgerId, ...cells].join(',');
  const charge = line('fee', actionText(), today, sum(random, 20_000).toFixed(2));
  const payment = line(today, sum(random, 40_000).toFixed(2), 'cash');
  return [
    ['charges.csv', `facility,charge_id,ledger_id,category,description,due_on,price\n${charge}\n`],
    ['payments.csv', `facility,payment_id,ledger_id,paid_on,amount,method\n${payment}\n`],
  ];
}
