import pg from 'pg';

/** A text that is made anew each time must not fill the sessions of the database. */
const MOST_STATEMENTS = 200;

const names = new Map<string, string>();

/** Its overloads as one. */
const plain = pg.Client.prototype as unknown as { query(this: pg.Client, ...given: unknown[]): unknown };

/**
 * A connection that prepares the statements which are written by hand: they begin with WITH or SELECT in capitals and name
 * their columns, so that a column added by a newer version does not disturb them. To plan one of a payment takes longer
 * than to run it (decision 20).
 */
export class PreparingClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options);
    const ask = (...given: unknown[]) => plain.query.apply(this, given);
    this.query = ((...given: unknown[]) => {
      const [text, values] = given;
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
      return name === undefined ? ask(...given) : ask({ name, text, values });
    }) as pg.Client['query'];
  }
}

/** Undefined of what is not to be prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (!/^\s*(WITH|SELECT)\s/.test(text) || names.size >= MOST_STATEMENTS) return undefined;
  const name = `gatehouse_${names.size + 1}`;
  names.set(text, name);
  return name;
}
