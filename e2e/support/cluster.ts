import pg from 'pg';
import { startMemoryCluster } from '../../server/test/memory-cluster.ts';
import { databaseUrl, makeTemplates } from '../../server/test/templates.ts';

// A process of its own, run by Node itself: the cluster of a run. Sends its URL to the process that
// started it, and ends with that process.
const cluster = await startMemoryCluster();
await makeTemplates(cluster.url);
await run(cluster.url, 'ALTER DATABASE demo_template ALLOW_CONNECTIONS true');
// The machine's clock begins the work of the day every five minutes: its mails and charges would
// come in the test that runs then. A server that starts adds the schedules again.
await run(
  databaseUrl(cluster.url, 'demo_template'),
  `CREATE FUNCTION pgboss.only_of_every_minute() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RETURN CASE WHEN NEW.cron = '* * * * *' THEN NEW END; END $$;
   CREATE TRIGGER only_of_every_minute BEFORE INSERT ON pgboss.schedule
     FOR EACH ROW EXECUTE FUNCTION pgboss.only_of_every_minute();
   DELETE FROM pgboss.schedule WHERE cron <> '* * * * *'`,
);
await run(cluster.url, 'ALTER DATABASE demo_template ALLOW_CONNECTIONS false');
process.once('disconnect', () => void stop());
process.send?.({ url: cluster.url });

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

async function stop(): Promise<void> {
  await cluster.stop();
  process.exit(0);
}
