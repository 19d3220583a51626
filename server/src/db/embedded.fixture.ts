import pg from 'pg';
import { startEmbedded } from './embedded.ts';

// A minimal server for embedded.slow.test.ts: writes one row, prints a line, and ends on SIGTERM as
// the real one does.
const [dataDir = ''] = process.argv.slice(2);
try {
  const postgres = await startEmbedded({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists kept (id serial primary key)');
  const { rows } = await client.query<{ id: number }>(
    'insert into kept default values returning id',
  );
  process.once('SIGTERM', () => {
    void postgres.stop().then(() => process.exit(0));
  });
  console.log(`wrote ${rows[0]?.id} adopted ${postgres.adopted}`);
} catch (error) {
  console.log(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
}
