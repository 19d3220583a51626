import { Connection } from '@gatehouse/server/src/db/connection.ts';
// Declares what the cluster provides to `inject`.
import type {} from '@gatehouse/server/test/cluster.ts';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { deriveReplay } from './replay.ts';

test('a replay runs statements inside and outside a transaction and returns every connection once', async () => {
  const connectionString = inject('clusterUrl');
  const pool = new pg.Pool({ connectionString, Client: Connection, max: 1 });
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
});
