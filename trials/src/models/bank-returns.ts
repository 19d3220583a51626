import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import { openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { runAutopay } from '@gatehouse/server/src/features/autopay/run.ts';
import { setAutopay } from '@gatehouse/server/src/features/autopay/switch.ts';
import { runBilling } from '@gatehouse/server/src/features/billing/billing.ts';
import { makePayment } from '@gatehouse/server/src/features/payments/payments.ts';
import { refundPayment } from '@gatehouse/server/src/features/payments/refunds.ts';
import { lookUpPending } from '@gatehouse/server/src/features/payments/resolve.ts';
import { notifyOfPayments } from '@gatehouse/server/src/features/payments/notify.ts';
import type { Worker } from './worker-pool.ts';
import { createModelGateway, type ModelGateway } from './model-gateway.ts';
import { databaseOn, inTurn, openSession, type Session } from './session.ts';
import {
  clockAt,
  contextOn,
  makeWorld,
  type MovableClock,
  type Renter,
  type World,
} from './world.ts';

/**
 * One bank debit and its return. `by`: the tenant pays both units at once, or autopay pays the
 * first.
 */
export type ReturnCase = {
  code: string;
  day: number;
  refundedBefore: boolean;
  by: 'tenant' | 'autopay';
};
export type ReturnResult = { returned: ReturnCase; faults: string[] };

const MOVED_IN_ON = '2026-03-20';
const FEE = 2500;
const DAY = 86_400_000;

/**
 * After these the account may be charged again, and the first two of them are presented again
 * (D15).
 */
const continuingCodes = ['R01', 'R09', 'R11'];
const presentedAgainCodes = ['R01', 'R09'];

/** Runs one case after the other, each rolled back. */
export async function open(url: string): Promise<Worker<ReturnCase[], ReturnResult[]>> {
  const owner = openOwnerDatabase(url);
  const world = await makeWorld(owner, { movedInOn: MOVED_IN_ON, renters: 1, rentals: 2 });
  const session = await openSession(url, { hasNet: false });
  return {
    async work(cases) {
      const results: ReturnResult[] = [];
      for (const returned of cases) {
        await session.begin();
        await session.asOwner(async () => {
          await session.run('UPDATE facilities SET return_fee_cents = $1', [FEE]);
        });
        try {
          results.push({
            returned,
            faults: await new ReturnScenario(session, world, returned).run(),
          });
        } catch (error) {
          results.push({
            returned,
            faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
          });
        } finally {
          await session.rollback();
        }
      }
      return results;
    },
    async close() {
      await session.end();
      await owner.destroy();
    },
  };
}

class ReturnScenario {
  readonly #session: Session;
  readonly #world: World;
  readonly #case: ReturnCase;
  readonly #clock: MovableClock = clockAt(`${MOVED_IN_ON}T15:00:00Z`);
  readonly #gateway: ModelGateway = createModelGateway(this.#clock);
  readonly #ctx: Context;
  readonly #faults: string[] = [];

  constructor(session: Session, world: World, returned: ReturnCase) {
    this.#session = session;
    this.#world = world;
    this.#case = returned;
    this.#ctx = contextOn({
      db: databaseOn(session, inTurn()),
      clock: this.#clock,
      gateway: this.#gateway,
    });
  }

  async run(): Promise<string[]> {
    const { code, day, refundedBefore } = this.#case;
    const renter = this.#world.renters[0]!;
    await runBilling(this.#ctx, { facilityId: this.#world.facilityId, date: MOVED_IN_ON });
    await this.#turnAutopayOn(renter);
    const owed = await this.#balance();
    await this.#pay(renter);
    const [first] = [...this.#gateway.charged.values()];
    if (first === undefined) return ['nothing was charged'];
    const { reference } = first;
    await notifyOfPayments(this.#ctx);

    this.#clock.at += day * DAY;
    if (day > 2 || refundedBefore) {
      this.#gateway.settle(reference);
      await lookUpPending(this.#ctx, reference);
      this.#expect('the state before the return', await this.#stateOf(reference), 'settled');
    }
    if (refundedBefore) await this.#refundAThird(reference);
    this.#gateway.sendBack(reference, code);
    await lookUpPending(this.#ctx, reference);
    await this.#checkTakenBack(reference, owed);
    await lookUpPending(this.#ctx, reference);
    await this.#checkTakenBack(reference, owed);

    const continues = continuingCodes.includes(code);
    const standing = await this.#one<{ active: boolean; live: number; refused: boolean }>(
      `SELECT a.active, (SELECT count(*)::int FROM mandates m WHERE NOT EXISTS (SELECT FROM mandate_ends e WHERE e.mandate_id = m.id)) AS live,
        (SELECT refused_at IS NOT NULL FROM payment_methods WHERE id = $1) AS refused FROM autopays a`,
      [renter.accountId],
    );
    this.#expect('autopay', standing, {
      active: continues,
      live: continues ? 1 : 0,
      refused: !continues,
    });
    if (this.#case.by === 'autopay') await this.#representPayment(first.cents);
    return this.#faults;
  }

  async #turnAutopayOn({ userId, tenantId, rentals, accountId }: Renter): Promise<void> {
    await setAutopay(this.#ctx, {
      caller: { userId, tenantIds: [tenantId], timeZone: this.#world.timeZone },
      ledgerId: rentals[0]!.ledgerId,
      params: { ach: { paymentMethodId: accountId } },
      idempotencyKey: undefined,
      origin: { ip: '127.0.0.1', userAgent: null },
    });
  }

  async #pay({ userId, tenantId, rentals, accountId }: Renter): Promise<void> {
    const { facilityId, timeZone } = this.#world;
    if (this.#case.by === 'autopay') {
      await runAutopay(this.#ctx, { facilityId, date: MOVED_IN_ON });
      return;
    }
    const { rows } = await this.#session.run('SELECT id, balance_cents AS cents FROM ledgers', []);
    const owed = new Map(
      (rows as { id: string; cents: number }[]).map(({ id, cents }) => [id, cents]),
    );
    const payments = rentals.map((rental) => ({
      ...rental,
      amount: owed.get(rental.ledgerId)! / 100,
    }));
    const params = { payments, ach: { paymentMethodId: accountId } };
    await makePayment(this.#ctx, { userId, tenantId, timeZone, idempotencyKey: undefined, params });
  }

  async #refundAThird(reference: string): Promise<void> {
    const { rows } = await this.#session.run(
      'SELECT p.entry_id AS id, -e.amount_cents AS cents FROM payments p JOIN entries e ON e.id = p.entry_id WHERE p.intent_id = $1',
      [reference],
    );
    const [payment] = rows as [{ id: string; cents: number }];
    const cents = Math.floor(payment.cents / 3);
    const { outcome } = await refundPayment(this.#ctx, {
      paymentEntryId: payment.id,
      cents,
      reason: 'Overcharged',
    });
    this.#expect('the refund', outcome, 'succeeded');
  }

  /** All that the debit had paid is owed again, and the fee once. */
  async #checkTakenBack(reference: string, owedBefore: number): Promise<void> {
    const { parts } = await this.#one<{ parts: number }>(
      'SELECT count(*)::int AS parts FROM payments WHERE intent_id = $1',
      [reference],
    );
    const found = await this.#one(
      `SELECT count(*) FILTER (WHERE r.reason = 'return')::int AS reversals,
        count(*) FILTER (WHERE r.reason = 'refund')::int AS refunds, sum(b.amount_cents)::bigint AS cents,
        (SELECT return_code FROM payment_intents WHERE id = $1) AS code,
        (SELECT count(*)::int FROM charges WHERE description = 'Returned payment fee') AS fees
      FROM payments p JOIN reversals r ON r.payment_entry_id = p.entry_id JOIN entries b ON b.id = r.entry_id
      WHERE p.intent_id = $1`,
      [reference],
    );
    const { cents } = this.#gateway.charged.get(reference)!;
    const refunds = this.#case.refundedBefore ? 1 : 0;
    this.#expect('what was taken back', found, {
      reversals: parts,
      refunds,
      cents,
      code: this.#case.code,
      fees: 1,
    });
    this.#expect('the state after the return', await this.#stateOf(reference), 'returned');
    this.#expect('the balance', await this.#balance(), owedBefore + FEE);
  }

  /** Autopay runs for weeks, and every debit that it presents again is returned again. */
  async #representPayment(firstCents: number): Promise<void> {
    const { facilityId, timeZone } = this.#world;
    for (let weeks = 0; weeks < 5; weeks++) {
      this.#clock.at += 7 * DAY;
      const known = new Set(this.#gateway.charged.keys());
      await runAutopay(this.#ctx, {
        facilityId,
        date: calendarDateIn(timeZone, this.#ctx.clock.now()),
      });
      for (const { reference, cents } of [...this.#gateway.charged.values()].filter(
        (one) => !known.has(one.reference),
      )) {
        if (cents > firstCents) this.#faults.push(`${cents} were presented again of ${firstCents}`);
        this.#clock.at += 2 * DAY;
        this.#gateway.sendBack(reference, this.#case.code);
        await lookUpPending(this.#ctx, reference);
      }
    }
    this.#expect(
      'the presentments',
      this.#gateway.charged.size,
      presentedAgainCodes.includes(this.#case.code) ? 3 : 1,
    );
  }

  async #balance(): Promise<number> {
    return (
      await this.#one<{ cents: number }>('SELECT sum(balance_cents)::bigint AS cents FROM ledgers')
    ).cents;
  }

  async #stateOf(reference: string): Promise<string | undefined> {
    return (
      await this.#one<{ state: string }>('SELECT state FROM payment_intents WHERE id = $1', [
        reference,
      ])
    ).state;
  }

  async #one<Row>(text: string, values: unknown[] = []): Promise<Row> {
    const { rows } = await this.#session.run(text, values);
    return rows[0] as Row; // as the statement names it
  }

  #expect(what: string, found: unknown, wanted: unknown): void {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (is !== should) this.#faults.push(`${what}: expected ${should}, found ${is}`);
  }
}
