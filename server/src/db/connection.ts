import { createHash } from 'node:crypto';
import pg from 'pg';

/**
 * Whose rows statements may see and write: those of one signed-in user at one facility, or null for every row, which is for
 * jobs and for what happens before anybody is known (D35). `ledgerIds` are all ledgers of the tenants, ended ones too.
 */
export type Reach = { userId: string; tenantIds: string[]; ledgerIds: string[] } | null;

/** The role of a tenant's requests, bound by row-level security; it owns nothing (design section 2.2). */
export const APP_ROLE = 'gatehouse_app';
/** The role of all other work of the server: it has the app role's rights and a few more, sees every row, and owns nothing. */
export const WORK_ROLE = 'gatehouse_work';

/** A text that is made anew each time must fill neither the sessions of the database nor this process. */
const MOST_STATEMENTS = 200;
const MOST_NAMES = 1000;

const TAKE_REACH = `SELECT set_config('role', $1, false), set_config('app.user_id', $2, false),
  set_config('app.tenant_ids', $3, false), set_config('app.ledger_ids', $4, false)`;

const names = new Map<string, string>();

/** What PostgreSQL answers to a write that comes to a standby or to a server that is set read-only. */
const READ_ONLY = '25006';

/** Its overloads as one, without those that take a callback. */
const plain = pg.Client.prototype as unknown as { query(this: pg.Client, ...given: unknown[]): Promise<unknown> };

/**
 * A connection that prepares the statements which are written by hand: they begin with WITH or SELECT in capitals and name
 * their columns, so that a column added by a newer version does not disturb them. To plan one of a payment takes longer
 * than to run it (decision 20).
 *
 * Before it serves somebody else its reach is changed, by a statement that is sent together with the next one and so takes
 * no round trip of its own (decision 25).
 *
 * It knows whether its server takes writes: after a failover an address may lead for a moment to what was the primary, and
 * what is read there may be old. One whose server takes none any more is closed.
 */
export class Connection extends pg.Client {
  /** What the next statement needs, and what was last set in the database. It begins with the role of its options. */
  #wanted: Reach = null;
  #sent: Reach = null;
  #isOfStandby = false;
  /** The statements that its session has. */
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
      // Were it not set, the statement ran with the reach of its predecessor: its answer must not be used.
      return setting.then(() => answer);
    }) as pg.Client['query'];
  }

  /** Throws where its server takes no writes; for once it is connected. */
  expectPrimary(): void {
    if (this.#isOfStandby) throw readOnlyFault('The server is a standby, which takes no writes');
  }

  /** From the next statement on. */
  serve(reach: Reach): void {
    this.#wanted = reach;
  }

  /**
   * Takes it back with `release` once it is known whether it may serve somebody else; it is given up where it may not. One
   * text of several statements that fails in their middle leaves its transaction open, and nobody ends that.
   */
  giveBack(release: (isGivenUp: boolean) => void): void {
    const decide = () => release(this.getTransactionStatus() !== 'I');
    // The database says that a statement failed before it says in which state that left the transaction: it is asked once more.
    if (this.#hasFailed) plain.query.apply(this, ['']).then(decide, () => release(true));
    else decide();
  }

  /** Each server says with its first answer, and whenever it changes, whether it is a standby: no round trip is spent. */
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

  /** Undefined of what is not to be prepared. */
  #nameOf(text: string): string | undefined {
    if (!/^\s*(WITH|SELECT)\s/.test(text)) return undefined;
    // Plans belong to a role: under the other one they would be made anew.
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

/** What a server says of itself: the driver's own types leave it out. */
type ParameterStatus = { parameterName: string; parameterValue: string };

function readOnlyFault(message: string): Error {
  return Object.assign(new Error(message), { code: READ_ONLY });
}

/** The same for the same text, in every process. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST_NAMES) names.clear();
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
  names.set(text, name);
  return name;
}
