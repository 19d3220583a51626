import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import {
  GatewayUnknown,
  type PaymentGateway,
} from '@gatehouse/server/src/adapters/payments/gateway.ts';
import type { Clock } from '@gatehouse/server/src/adapters/clock.ts';
import type { FakeGateway } from '../harness/simulator/fake-gateway.ts';
import type { Random } from '../harness/random.ts';
import type { Moment, Port, Session } from './session.ts';

/** The probability of each fault. */
export type Faults = {
  statementFails: number;
  answerLost: number;
  gatewayLate: number;
  gatewayNever: number;
  gatewayGarbage: number;
  gatewayAnswerLost: number;
  gatewayHides: number;
};

/** A process of the server: when it crashes its work is lost, and its callers get an error. */
export type Process = { name: string; isAlive: boolean; lives: number; waiting: Set<() => void> };

type Happening = {
  process: Process | null;
  what: string;
  due: number;
  /**
   * Null but for statements: while a transaction is open on the one connection, only its own
   * statements run.
   */
  statement: { transaction: object | null } | null;
  run: () => Promise<string>;
};

const SECOND = 1000;

/**
 * A deterministic simulation: time passes only when nothing else can happen, and the seed chooses
 * the next event among all that are possible. Everything that the server's code waits for comes
 * from here, so the same seed gives the same trace.
 */
export class Simulation {
  now: number;
  readonly clock: Clock;
  readonly session: Session;
  readonly random: Random;
  readonly faults: Faults;
  /** The check after each event that may have written. */
  check: () => Promise<void> = () => Promise.resolve();
  isCalm = false;
  steps = 0;
  readonly #pending: Happening[] = [];
  readonly #trace = createHash('sha256');
  readonly #broken = new WeakSet();
  #open: object | null = null;
  #owner: Process | null = null;
  #rollingBack: Promise<void> | null = null;
  readonly #log: string[] | null;

  constructor(
    session: Session,
    random: Random,
    startsAt: string,
    keepsLog: boolean,
    faults: Faults,
  ) {
    this.session = session;
    this.random = random;
    this.now = Date.parse(startsAt);
    this.clock = { now: () => new Date(this.now) };
    this.faults = faults;
    this.#log = keepsLog ? [] : null;
  }

  /** The digest of all that has happened. */
  get trace(): string {
    return this.#trace.copy().digest('hex');
  }

  get log(): string[] {
    return this.#log ?? [];
  }

  /** Waits in simulated time. Never resolves for a process that crashes meanwhile. */
  sleep(ms: number, process: Process | null = null): Promise<void> {
    return new Promise((resolve) => {
      this.#add(process, `sleep ${ms}`, ms, null, () => {
        resolve();
        return Promise.resolve('');
      });
    });
  }

  /** A statement from outside of the server, such as what a tenant sees. */
  async look<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const rows = await new Promise<unknown[]>((resolve, reject) => {
      this.#add(null, 'look', 0, { transaction: null }, async () => {
        await this.session.run(text, values).then((answer) => resolve(answer.rows), reject);
        return '';
      });
    });
    return rows as Row[]; // as the caller's statement names them
  }

  /** Something that a person does to the database at once, while nothing else runs. */
  async atOnce(what: string, work: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#add(null, what, 0, { transaction: null }, async () => {
        await work().then(resolve, reject);
        return 'done';
      });
    });
  }

  /**
   * The process is gone, with all that it waits for; the transaction that it had open is rolled
   * back.
   */
  async crash(process: Process): Promise<void> {
    process.isAlive = false;
    process.lives += 1;
    for (let index = this.#pending.length - 1; index >= 0; index--)
      if (this.#pending[index]!.process === process) this.#pending.splice(index, 1);
    if (this.#open !== null && this.#owner === process) {
      this.#rollingBack = this.#breakOpen();
      await this.#rollingBack;
    }
    this.#note(`${process.name} crashes`);
    for (const hear of process.waiting) hear();
    process.waiting.clear();
  }

  /** What a process answers, or that it crashed first. */
  ask<R>(
    process: Process,
    request: () => Promise<R>,
  ): Promise<{ answer: R } | { error: unknown } | 'no answer'> {
    if (!process.isAlive) return Promise.resolve('no answer');
    return new Promise((resolve) => {
      const hear = () => resolve('no answer');
      process.waiting.add(hear);
      request()
        .then(
          (answer) => resolve({ answer }),
          (error: unknown) => resolve({ error }),
        )
        .finally(() => process.waiting.delete(hear));
    });
  }

  /** Runs events one after the other until none is left. Throws what a check throws. */
  async run(mostSteps: number): Promise<void> {
    for (;;) {
      await pause();
      // The rollback of a crash takes real time: what happens next must not depend on how much.
      while (this.#rollingBack !== null) {
        const before = this.#rollingBack;
        await before;
        await pause();
        if (this.#rollingBack === before) this.#rollingBack = null;
      }
      if (this.#pending.length === 0) return;
      if ((this.steps += 1) > mostSteps)
        throw new Error(`the simulation does not end within ${mostSteps} steps`);
      const next = this.#choose();
      if (next === null) continue;
      const outcome = await next.run();
      this.#note(`${next.process?.name ?? '-'} ${next.what} ${outcome}`);
      if (this.#open === null && mayHaveWritten(next)) await this.check();
    }
  }

  /** The database with faults: answers get lost, statements fail, connections break. */
  portOf(process: Process): Port {
    return {
      acquire: () => Promise.resolve(),
      release: () => {},
      turn: (transaction, moment, text, work) =>
        new Promise((resolve, reject) => {
          const what = moment === 'statement' ? `sql ${nameOf(text)}` : moment;
          this.#add(process, what, 0, { transaction }, () =>
            this.#turn(process, transaction, moment, work, resolve, reject),
          );
        }),
    };
  }

  async #turn<R>(
    process: Process,
    transaction: object | null,
    moment: Moment,
    work: () => Promise<R>,
    resolve: (result: R) => void,
    reject: (error: Error) => void,
  ): Promise<string> {
    if (transaction !== null && this.#broken.has(transaction)) {
      // The transaction is gone, so its result is not read.
      if (moment === 'rollback') resolve(undefined as R);
      else reject(connectionLost());
      return 'on a lost connection';
    }
    if (moment !== 'rollback' && this.#happens('statementFails')) {
      if (transaction !== null) await this.#breakTransaction(transaction);
      reject(connectionLost());
      return 'fails before';
    }
    try {
      const result = await work();
      if (moment === 'begin') [this.#open, this.#owner] = [transaction, process];
      if (moment === 'commit' || moment === 'rollback') [this.#open, this.#owner] = [null, null];
      if (moment !== 'rollback' && moment !== 'begin' && this.#happens('answerLost')) {
        if (moment === 'statement' && transaction !== null)
          await this.#breakTransaction(transaction);
        reject(connectionLost());
        return 'answer lost';
      }
      resolve(result);
      return 'done';
    } catch (error) {
      reject(error as Error);
      return `refused ${(error as { code?: string }).code}`;
    }
  }

  /** The gateway behind a network that loses and delays messages. */
  gatewayOf(process: Process, gateway: FakeGateway): PaymentGateway {
    const hidden = new Set<string>();
    return {
      ...gateway,
      charge: (request, signal) =>
        this.#overNetwork(process, `charge ${request.amountCents}`, async () => {
          if (this.#happens('gatewayHides')) hidden.add(request.reference);
          return gateway.charge(request, signal);
        }),
      lookup: (reference, where) =>
        this.#overNetwork(process, 'lookup', async () => {
          if (hidden.delete(reference) && !this.isCalm) return { outcome: 'notFound' };
          return gateway.lookup(reference, where);
        }),
      voidReference: (reference, where) =>
        this.#overNetwork(process, 'void', () => gateway.voidReference(reference, where)),
      refund: (request) =>
        this.#overNetwork(process, `refund ${request.amountCents}`, () => gateway.refund(request)),
      saveMethod: (instrument, customer) =>
        this.#overNetwork(process, 'save', () => gateway.saveMethod(instrument, customer)),
      describe: (instrument) =>
        'token' in instrument
          ? this.#overNetwork(process, 'describe', () => gateway.describe(instrument))
          : gateway.describe(instrument),
      createCustomer: (tenant) =>
        this.#overNetwork(process, 'customer', () => gateway.createCustomer(tenant)),
    };
  }

  /** A request and its answer; the request may arrive long after its sender has given up. */
  #overNetwork<R>(process: Process, what: string, ask: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      const { lives } = process;
      const giveUp = () => reject(new GatewayUnknown('the gateway did not answer in time'));
      const after = (ms: number, name: string, then: () => void) =>
        this.#add(process, `${what} ${name}`, ms, null, () => {
          then();
          return Promise.resolve('');
        });
      if (this.#happens('gatewayNever')) {
        after(20 * SECOND, 'never arrives', giveUp);
        return;
      }
      const isLate = this.#happens('gatewayLate');
      if (isLate) after(20 * SECOND, 'gives up', giveUp);
      const delay = isLate ? this.random.between(20, 900) * SECOND : this.random.between(10, 3000);
      // Belongs to no process: it is under way, even if the process crashes.
      this.#add(null, `${what} arrives`, delay, null, async () => {
        const answer = await ask().catch((error: unknown) => error as Error);
        const settle = () => (answer instanceof Error ? reject(answer) : resolve(answer));
        if (!isLate && process.isAlive && process.lives === lives) {
          if (this.#happens('gatewayAnswerLost')) after(20 * SECOND, 'answer lost', giveUp);
          else if (this.#happens('gatewayGarbage'))
            after(10, 'garbage', () => reject(new SyntaxError('no JSON')));
          else after(this.random.between(10, 500), 'answers', settle);
        }
        return answer instanceof Error
          ? answer.name
          : ((answer as { outcome?: string } | null)?.outcome ?? 'done');
      });
    });
  }

  #happens(fault: keyof Faults): boolean {
    return this.random.chance(this.faults[fault]) && !this.isCalm;
  }

  #choose(): Happening | null {
    const mayRun = ({ statement }: Happening) =>
      statement === null || this.#open === null || statement.transaction === this.#open;
    const ready = this.#pending.filter((one) => one.due <= this.now && mayRun(one));
    const isTimeUp = ready.length === 0 || this.random.chance(0.05);
    if (isTimeUp) {
      const later = this.#pending.filter((one) => one.due > this.now);
      if (later.length > 0) {
        this.now = Math.min(...later.map(({ due }) => due));
        return null;
      }
      if (ready.length === 0) throw new Error('a transaction is open and nothing continues it');
    }
    const chosen = this.random.pick(ready);
    this.#pending.splice(this.#pending.indexOf(chosen), 1);
    return chosen;
  }

  #add(
    process: Process | null,
    what: string,
    ms: number,
    statement: Happening['statement'],
    run: Happening['run'],
  ): void {
    // The code of a crashed process still runs here; its requests are dropped.
    if (process !== null && !process.isAlive) return;
    this.#pending.push({ process, what, due: this.now + ms, statement, run });
  }

  async #breakTransaction(transaction: object): Promise<void> {
    this.#broken.add(transaction);
    if (this.#open === transaction) await this.#breakOpen();
  }

  async #breakOpen(): Promise<void> {
    [this.#open, this.#owner] = [null, null];
    this.session.isInSavepoint = false;
    await this.session.raw('ROLLBACK TO net');
  }

  #note(line: string): void {
    const whole = `${this.now} ${line}`;
    this.#trace.update(whole);
    this.#log?.push(whole);
  }
}

function mayHaveWritten({ statement, what }: Happening): boolean {
  return statement !== null && !/^(look|sql select)/i.test(what);
}

function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}

/** Short and the same for the same statement. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${text.trim().slice(0, 40).replaceAll(/\s+/g, ' ')} #${createHash('md5').update(text).digest('hex').slice(0, 6)}`;
  names.set(text, name);
  return name;
}

const names = new Map<string, string>();
