import { createHash } from 'node:crypto';
import pg from 'pg';

/**
 * The rows that statements may see and write: those of one signed-in user at one facility, or null
 * for every row, for jobs and for requests before the caller is known (D35). `ledgerIds` are all
 * ledgers of the tenants, ended ones too.
 */
export type Reach = { userId: string; tenantIds: string[]; ledgerIds: string[] } | null;

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

/** Statements built dynamically must not fill the sessions of the database or this process. */
const MOST_STATEMENTS = 200;
const MOST_NAMES = 1000;

const TAKE_REACH = `SELECT set_config('role', $1, false), set_config('app.user_id', $2, false),
  set_config('app.tenant_ids', $3, false), set_config('app.ledger_ids', $4, false)`;

const names = new Map<string, string>();

/** PostgreSQL's error for a write on a standby or a read-only server. */
const READ_ONLY = '25006';

/** Its overloads without a callback. */
const plain = pg.Client.prototype as unknown as { query(this: pg.Client, ...given: unknown[]): Promise<unknown> };

/**
 * A connection that prepares the statements written by hand, since planning one of a payment takes
 * longer than running it (decision 20). Those begin with WITH or SELECT in capitals and name their
 * columns, so that a column added by a newer version does not break them. A changed reach is set by
 * a statement that is sent together with the next one, without a round trip of its own (decision
 * 25). It tracks whether its server accepts writes: after a failover an address may lead for a
 * moment to the former primary, whose data may be stale. It is closed once its server accepts none.
 */
export class Connection extends pg.Client {
  /**
   * The reach that the next statement needs, and the one last set in the database, at first the
   * role of its options.
   */
  #wanted: Reach = null;
  #sent: Reach = null;
  #isOfStandby = false;
  /** The statements prepared in its session. */
  readonly #prepared = new Set<string>();
  /** Whether its last statement failed. */
  #hasFailed = false;

  constructor(options?: pg.ClientConfig) {
    super({ ...options, pipeline: true });
    this.#watchForReadOnly();
    this.query = ((...given: unknown[]) => {
      const setting = this.#sent === this.#wanted ? undefined : this.#setReach();
      const answer = this.#ask(given);
      if (setting === undefined) return answer;
      answer.catch(() => {});
      // If setting the reach failed, the statement ran with the previous one, so its result must
      // not be used.
      return setting.then(() => answer);
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

  #ask(given: unknown[]): Promise<unknown> {
    const [text, values] = given;
    const name = typeof text === 'string' && Array.isArray(values) ? this.#nameOf(text) : undefined;
    const answer = plain.query.apply(this, name === undefined ? given : [{ name, text, values }]);
    answer.then(
      () => (this.#hasFailed = false),
      () => (this.#hasFailed = true),
    );
    return answer;
  }

  /** Undefined for a statement that is not prepared. */
  #nameOf(text: string): string | undefined {
    if (!/^\s*(WITH|SELECT)\s/.test(text)) return undefined;
    // Plans belong to a role and would be made again under another one.
    const name = `gatehouse_${this.#sent === null ? 'work' : 'app'}_${nameOf(text)}`;
    if (!this.#prepared.has(name) && this.#prepared.size >= MOST_STATEMENTS) return undefined;
    this.#prepared.add(name);
    return name;
  }

  #setReach(): Promise<unknown> {
    const reach = this.#wanted;
    this.#sent = reach;
    const values =
      reach === null
        ? [WORK_ROLE, '', '{}', '{}']
        : [APP_ROLE, reach.userId, `{${reach.tenantIds.join()}}`, `{${reach.ledgerIds.join()}}`];
    const setting = this.#ask([{ name: 'gatehouse_reach', text: TAKE_REACH, values }]);
    setting.catch((error: unknown) => this.#close(error as Error));
    return setting;
  }
}

/** The parameters that a server reports; the driver's types omit them. */
type ParameterStatus = { parameterName: string; parameterValue: string };

function readOnlyFault(message: string): Error {
  return Object.assign(new Error(message), { code: READ_ONLY });
}

/** The same for the same text in every process. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST_NAMES) names.clear();
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
  names.set(text, name);
  return name;
}
