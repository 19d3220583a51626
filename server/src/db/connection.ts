import { createHash } from 'node:crypto';
import pg from 'pg';

/**
 * The rows that statements may see and write: those of one signed-in user at one facility; for
 * reading, those of the facilities of a member of staff; or null for every row, for jobs and for
 * requests before the caller is known (D35). `ledgerIds` are all ledgers of the tenants, ended ones
 * too. `isAll` is for a member of all facilities of the database.
 */
export type Reach = TenantReach | StaffReach | null;
export type TenantReach = { userId: string; tenantIds: string[]; ledgerIds: string[] };
export type StaffReach = { staffId: string; facilityIds: string[]; isAll: boolean };

/**
 * The role of a tenant's requests, limited by row-level security; it owns nothing (design section
 * 2.2).
 */
export const APP_ROLE = 'gatehouse_app';
/**
 * The role of everything else in the server: it has the app role's rights and a few more, sees
 * every row, and owns nothing.
 */
export const WORK_ROLE = 'gatehouse_work';
/** The role of what staff read in the office, limited to their facilities; it writes nothing. */
export const OFFICE_ROLE = 'gatehouse_office';

const TAKE_REACH = `SELECT set_config('role', $1, false), set_config('app.user_id', $2, false),
  set_config('app.tenant_ids', $3, false), set_config('app.ledger_ids', $4, false),
  set_config('app.facility_ids', $5, false), set_config('app.is_all', $6, false)`;

/** No row of anybody's. */
const NOBODY = { userId: '', tenantIds: [], ledgerIds: [] } satisfies TenantReach;

/** The names of prepared statements by their text, the same in every process. */
const names = new Map<string, string>();

/**
 * How a statement is sent: prepared, and `ahead` without waiting for its answer. By its array of
 * values, since the query builder passes on that and the text alone.
 */
const modes = new WeakMap<readonly unknown[], 'prepared' | 'ahead'>();

/** Has the statement sent so that is sent with this array of values. */
export function requestMode(values: readonly unknown[], mode: 'prepared' | 'ahead'): void {
  modes.set(values, mode);
}

/** The result of a statement whose answer is not waited for. */
const UNANSWERED = { command: '', rowCount: null, rows: [] };

/** PostgreSQL's error for a write on a standby or a read-only server. */
const READ_ONLY = '25006';

/** Its overloads without a callback. */
const plain = pg.Client.prototype as unknown as {
  query(this: pg.Client, ...given: unknown[]): Promise<unknown>;
};

/**
 * A connection that prepares the statements of `prepared` and `sendAhead`, since planning one of a
 * payment takes longer than running it (decision 20). A changed reach is set by a statement that is
 * sent together with the next one, without a separate round trip (decision 25), and so are the
 * beginning of a transaction and what `sendAhead` sends. What is sent within one turn of the event
 * loop is one write. It tracks whether its server accepts
 * writes: after a failover an address may lead for a moment to the former primary, whose data may
 * be stale. It is closed once its server accepts none.
 */
export class Connection extends pg.Client {
  /**
   * The reach that the next statement needs, and the one last set in the database, at first the
   * role of its options.
   */
  #wanted: Reach = null;
  #sent: Reach = null;
  #isOfStandby = false;
  /** Statements sent ahead of the next one. */
  #ahead: Promise<unknown>[] = [];
  /**
   * What was sent ahead of the statements under way, until it is answered: where it failed, all of
   * them fail with its error.
   */
  #before: Promise<unknown> | null = null;
  /** The setting of the reach, until it is answered. */
  #reaching: Promise<unknown> | null = null;
  /** Whether its last statement failed. */
  #hasFailed = false;
  /** Whether what is sent waits for the end of this turn. */
  #isCorked = false;

  constructor(options?: pg.ClientConfig) {
    super({ ...options, pipeline: true });
    this.#watchForReadOnly();
    this.query = ((...given: unknown[]) => {
      if (this.#sent !== this.#wanted) this.#setReach(this.#wanted);
      const [text, values] = given as [string, unknown[] | undefined];
      if (text === 'begin' || modeOf(values) === 'ahead') {
        this.#goAhead(this.#ask(given));
        return Promise.resolve(UNANSWERED);
      }
      const answer = this.#ask(given);
      this.#awaitAhead();
      if (this.#before === null && this.#reaching === null) return answer;
      answer.catch(() => {});
      // If setting the reach failed, the statement ran with the previous one; if another one did,
      // its transaction is lost. So its result must not be used.
      return Promise.all([this.#reaching, this.#before]).then(() => answer);
    }) as pg.Client['query'];
  }

  /** Throws where its server accepts no writes. Called once connected. */
  expectPrimary(): void {
    if (this.#isOfStandby) throw readOnlyFault('The server is a standby, which takes no writes');
  }

  /** Applies from the next statement on. */
  serve(reach: Reach): void {
    this.#wanted = reach;
  }

  /**
   * Sends a statement that itself sets the reach, in the role of tenants' requests. As after any
   * setting of a reach, what is sent behind it has no result unless this has one. `adopt` is called
   * with its result and says what reach it was, which then need not be set again.
   */
  takeReach<Found>(
    text: string,
    values: unknown[],
    adopt: (result: pg.QueryResult) => { found: Found; reach: Reach },
  ): Promise<Found> {
    if (roleOf(this.#sent) !== APP_ROLE) this.#setReach(NOBODY);
    const unknown = { ...NOBODY };
    this.#wanted = this.#sent = unknown;
    const asked = this.#ask([{ name: `gatehouse_caller_${nameOf(text)}`, text, values }]);
    this.#awaitReach(Promise.all([asked, this.#reaching]));
    return asked.then((result) => {
      const { found, reach } = adopt(result as pg.QueryResult);
      if (reach !== null && this.#sent === unknown) this.#wanted = this.#sent = reach;
      return found;
    });
  }

  /**
   * Returns the connection to the pool with `release`, or closes it where it cannot be reused: a
   * text of several statements that fails in the middle leaves an open transaction.
   */
  giveBack(release: (isGivenUp: boolean) => void): void {
    const decide = () => release(this.getTransactionStatus() !== 'I');
    // The error arrives before the state of the transaction, so one more query waits for that.
    if (this.#hasFailed) plain.query.apply(this, ['']).then(decide, () => release(true));
    else decide();
  }

  /**
   * Each server reports with its first answer, and on each change, whether it is a standby, so no
   * round trip is needed.
   */
  #watchForReadOnly(): void {
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.#isOfStandby = parameterValue === 'on';
    });
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.#close(readOnlyFault('The server takes no writes any more'));
    });
  }

  #close(error: Error): void {
    this.connection.stream.destroy(error);
  }

  #goAhead(answer: Promise<unknown>): void {
    answer.catch(() => {});
    this.#ahead.push(answer);
  }

  #awaitAhead(): void {
    if (this.#ahead.length === 0) return;
    const before = Promise.all([this.#before, ...this.#ahead.splice(0)]);
    this.#before = before;
    const end = () => {
      if (this.#before === before) this.#before = null;
    };
    before.then(end, end);
  }

  #ask(given: unknown[]): Promise<unknown> {
    const [text, values] = given as [string, unknown[] | undefined];
    this.#cork();
    const answer = plain.query.apply(
      this,
      modeOf(values) !== undefined ? [{ name: this.#nameOf(text), text, values }] : given,
    );
    answer.then(
      () => (this.#hasFailed = false),
      () => (this.#hasFailed = true),
    );
    return answer;
  }

  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.connection;
    stream.cork();
    this.#isCorked = true;
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Differs by role, because plans belong to a role and would be made again under another one. */
  #nameOf(text: string): string {
    return `${roleOf(this.#sent)}_${nameOf(text)}`;
  }

  #setReach(reach: Reach): void {
    this.#sent = reach;
    this.#awaitReach(
      this.#ask([{ name: 'gatehouse_reach', text: TAKE_REACH, values: settingsOf(reach) }]),
    );
  }

  #awaitReach(setting: Promise<unknown>): void {
    this.#reaching = setting;
    setting.then(
      () => {
        if (this.#reaching === setting) this.#reaching = null;
      },
      (error: unknown) => this.#close(error as Error),
    );
  }
}

function roleOf(reach: Reach): string {
  if (reach === null) return WORK_ROLE;
  return 'staffId' in reach ? OFFICE_ROLE : APP_ROLE;
}

/** The values of TAKE_REACH. */
function settingsOf(reach: Reach): string[] {
  const role = roleOf(reach);
  if (reach === null) return [role, '', '{}', '{}', '{}', ''];
  if ('staffId' in reach)
    return [role, '', '{}', '{}', `{${reach.facilityIds.join()}}`, String(reach.isAll)];
  const { userId, tenantIds, ledgerIds } = reach;
  return [role, userId, `{${tenantIds.join()}}`, `{${ledgerIds.join()}}`, '{}', ''];
}

/** The parameters that a server reports; the driver's types omit them. */
type ParameterStatus = { parameterName: string; parameterValue: string };

function readOnlyFault(message: string): Error {
  return Object.assign(new Error(message), { code: READ_ONLY });
}

function modeOf(values: readonly unknown[] | undefined) {
  return values === undefined ? undefined : modes.get(values);
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}
