import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getFacility } from '@gatehouse/contract/facilities';
import { listPayments } from '@gatehouse/contract/payments';
import { updateTenant } from '@gatehouse/contract/tenants';
import { Caller, type CallResult } from '@gatehouse/trials/src/harness/caller.ts';
import type { Call } from '@gatehouse/trials/src/harness/client.ts';
import { pathAt, readLedgers } from '@gatehouse/trials/src/harness/calls.ts';
import { Driver } from '@gatehouse/trials/src/harness/driver.ts';
import { nextOrder } from '@gatehouse/trials/src/harness/orders.ts';
import { SteadyLoad } from '@gatehouse/trials/src/harness/steady-load.ts';
import { SyncedLog } from '@gatehouse/trials/src/harness/simulator/synced-log.ts';
import type { Payer } from '@gatehouse/trials/src/harness/world.ts';
import { randomOf } from '@gatehouse/trials/src/harness/random.ts';

/** What a request was for. */
export type Purpose = 'rentals' | 'facility' | 'history' | 'payment' | 'contact';

/** An answer, and why it is wrong where it is. */
export type Heard = CallResult & { purpose: Purpose; wrong: string | null };

/** In turn: of eight requests six read. */
const mix: Purpose[] = [
  'rentals',
  'contact',
  'rentals',
  'history',
  'rentals',
  'payment',
  'rentals',
  'facility',
];

/**
 * Signed-in reads, payments and contact changes at a steady rate. Each write is on the disk before
 * it is sent, and so is each answer before it counts; what a read shows is held against what was
 * acknowledged before it began.
 */
export class Load {
  readonly heard: Heard[] = [];
  readonly driver: Driver;
  /** Acknowledged contact changes: the number that each wrote. */
  readonly changed: { tenantId: string; number: number }[] = [];
  readonly #url: string;
  readonly #payers: Payer[];
  readonly #caller = new Caller();
  readonly #contacts: SyncedLog;
  readonly #random = randomOf(1);
  readonly #owed = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #paid = new Map<string, number>();
  readonly #receipts = new Map<string, string[]>();
  readonly #changing = new Set<string>();
  #load: SteadyLoad | undefined;
  #payments = 0;
  #isEnding = false;
  unpaid = 0;

  private constructor(url: string, payers: Payer[], driver: Driver, contacts: SyncedLog) {
    this.#url = url;
    this.#payers = payers;
    this.driver = driver;
    this.#contacts = contacts;
    for (const { rentals } of payers)
      for (const { ledgerId, owedCents } of rentals) this.#owed.set(ledgerId, owedCents);
    driver.caller.onAnswer = (result) => this.#hear(result, 'payment', null);
  }

  static async open(url: string, payers: Payer[], folder: string): Promise<Load> {
    const driver = await Driver.open(join(folder, 'payments.jsonl'));
    return new Load(url, payers, driver, await SyncedLog.open(join(folder, 'contacts.jsonl')));
  }

  begin(perSecond: number): void {
    this.#load = new SteadyLoad(perSecond, (number) =>
      this.#send(mix[number % mix.length]!, number),
    );
  }

  /**
   * Sends no more and waits for those under way, which go on until each payment has its receipt.
   */
  async end(): Promise<void> {
    await this.#load?.stop();
    this.#isEnding = true;
    this.#caller.close();
    await this.driver.close();
    await this.#contacts.close();
  }

  get sent(): number {
    return this.#load?.sent ?? 0;
  }

  /**
   * When a request for this that began after `since` was answered well, in milliseconds; null while
   * none was.
   */
  backAt(purpose: Purpose, since: number): number | null {
    let first: number | null = null;
    for (let index = this.heard.length - 1; index >= 0; index -= 1) {
      const one = this.heard[index]!;
      // They are in the order in which they were answered.
      if (one.at + one.ms < since) break;
      if (one.purpose === purpose && one.at >= since && one.status === 200) first = one.at + one.ms;
    }
    return first;
  }

  #send(purpose: Purpose, number: number): Promise<unknown> {
    const payer = this.#random.pick(this.#payers);
    switch (purpose) {
      case 'rentals':
        return this.#readRentals(payer);
      case 'history':
        return this.#readHistory(payer);
      case 'facility':
        return this.#ask(purpose, {
          method: 'GET',
          path: pathAt(getFacility),
          token: payer.token,
        });
      case 'payment':
        return this.#pay();
      case 'contact':
        return this.#change(number);
    }
  }

  async #readRentals(payer: Payer): Promise<void> {
    const before = new Map(
      payer.rentals.map(({ ledgerId }) => [ledgerId, this.#paid.get(ledgerId) ?? 0]),
    );
    await this.#ask('rentals', readLedgers(payer), (text) => {
      const rentals = JSON.parse(text) as { id: string; balance: number }[]; // as the contract has it
      if (rentals.length !== payer.rentals.length) return `${rentals.length} rentals`;
      for (const { id, balance } of rentals) {
        const paid = this.#owed.get(id)! - Math.round(balance * 100);
        if (paid < before.get(id)!)
          return `${before.get(id)! - paid} cents of acknowledged payments are missing`;
        if (paid > (this.#asked.get(id) ?? 0))
          return `${paid} cents are paid, more than was ordered`;
      }
      return null;
    });
  }

  async #readHistory(payer: Payer): Promise<void> {
    const { ledgerId } = this.#random.pick(payer.rentals);
    const known = [...(this.#receipts.get(ledgerId) ?? [])];
    const call = {
      method: 'GET',
      path: pathAt(listPayments, { ledgerId }),
      token: payer.token,
    } as const;
    await this.#ask('history', call, (text) => {
      const shown = new Set(
        (JSON.parse(text) as { receiptNumber: string }[]).map((one) => one.receiptNumber),
      );
      const missing = known.filter((receipt) => !shown.has(receipt));
      return missing.length === 0 ? null : `${missing.length} acknowledged payments are missing`;
    });
  }

  /**
   * As a patient tenant pays: again under the same key until there is a final answer, and no sooner
   * than it asks.
   */
  async #pay(): Promise<void> {
    const order = nextOrder(this.#random, this.#payers, (this.#payments += 1));
    const [{ ledgerId, cents }] = order.lines as [(typeof order.lines)[number]];
    this.#asked.set(ledgerId, (this.#asked.get(ledgerId) ?? 0) + cents);
    for (;;) {
      const answer = await this.driver.send(this.#url, order);
      if (answer.receipt !== null) {
        this.#paid.set(ledgerId, (this.#paid.get(ledgerId) ?? 0) + cents);
        const receipts = answer.receipt.payments.map(({ receiptNumber }) => receiptNumber);
        this.#receipts.set(ledgerId, [...(this.#receipts.get(ledgerId) ?? []), ...receipts]);
        return;
      }
      if (answer.status !== 0 && answer.status !== 409 && answer.status < 500) {
        this.unpaid += 1;
        return;
      }
      await delay(answer.retryAfterMs ?? 1000);
    }
  }

  /** One at a time of each tenant, so that the last one acknowledged is the one to be found. */
  async #change(number: number): Promise<void> {
    const idle = this.#payers.filter(({ tenantId }) => !this.#changing.has(tenantId));
    const { tenantId, token } = this.#random.pick(idle);
    this.#changing.add(tenantId);
    await this.#contacts.append({ kind: 'sent', tenantId, number });
    const result = await this.#ask('contact', {
      method: 'PATCH',
      path: pathAt(updateTenant, { tenantId }),
      token,
      body: {
        alternateContact: {
          firstName: 'Change',
          lastName: String(number),
          email: 'change@example.com',
          phone: '8175550100',
        },
      },
    });
    await this.#contacts.append({ kind: 'answered', tenantId, number, status: result.status });
    if (result.status === 200) this.changed.push({ tenantId, number });
    this.#changing.delete(tenantId);
  }

  async #ask(
    purpose: Purpose,
    call: Call,
    faultOf: (text: string) => string | null = () => null,
  ): Promise<CallResult> {
    const result = await this.#caller.call(this.#url, call);
    this.#hear(result, purpose, result.status === 200 ? faultOf(result.text) : null);
    return result;
  }

  #hear(result: CallResult, purpose: Purpose, fault: string | null): void {
    if (!this.#isEnding)
      this.heard.push({ ...result, text: result.text.slice(0, 300), purpose, wrong: fault });
  }
}
