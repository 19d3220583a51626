import pg from 'pg';

/** Statistics for the planner, as a database has them that has served for a day. */
export async function settle(url: string): Promise<void> {
  await asOwner(url, (client) => client.query('VACUUM (ANALYZE)'));
}

/** The version of the PostgreSQL that is measured. */
export async function postgresVersion(url: string): Promise<string> {
  const { rows } = await asOwner(url, (client) => client.query<{ server_version: string }>('SHOW server_version'));
  return rows[0]!.server_version;
}

/** How many payments whose Idempotency-Key starts with `prefix` the gateway captured. */
export async function countCaptures(url: string, prefix: string): Promise<number> {
  const { rows } = await asOwner(url, (client) =>
    client.query<{ captures: number }>(
      `SELECT count(*)::int AS captures FROM payment_intents i JOIN sandbox_gateway.charges g ON g.reference = i.id
       WHERE g.outcome = 'captured' AND g.amount_cents = 1 AND starts_with(i.idempotency_key, $1)`,
      [prefix],
    ),
  );
  return rows[0]!.captures;
}

async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
