import { Connection } from '@gatehouse/server/src/db/connection.ts';
import { startMemoryCluster } from '@gatehouse/server/test/memory-cluster.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { deriveReplay } from './replay.ts';

test('a replay runs statements inside and outside a transaction and returns every connection once', async () => {
  const cluster = await startMemoryCluster();
  const pool = new pg.Pool({ connectionString: cluster.url, Client: Connection, max: 1 });
  // Connections may still be closing when the cluster stops.
  pool.on('error', () => {});
  const statement = (sql: string, parameters: unknown[] = []) => ({
    sql,
    parameters,
    rows: [],
    sentAt: 0,
    answeredAt: 0,
  });
  const recordingOf = (who: string) => ({
    inputs: { who },
    statements: [
      statement('SELECT $1::text AS who', [who]),
      statement('begin'),
      statement('SELECT 1 AS one'),
      statement('commit'),
      statement('SELECT upper($1::text) AS who', [who]),
    ],
  });
  const replay = deriveReplay([recordingOf('ann'), recordingOf('bob')]);

  expect(await replay(pool, { who: 'cleo' })).toEqual([{ who: 'CLEO' }]);
  expect(await replay(pool, { who: 'dora' })).toEqual([{ who: 'DORA' }]);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  await pool.end();
  await cluster.stop();
});
