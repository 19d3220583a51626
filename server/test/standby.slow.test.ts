import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, openOwnerDatabase, migrate } from '#db/database.ts';
import { startEmbedded, type EmbeddedPostgres } from '#db/embedded.ts';

let folder: string;
let primary: EmbeddedPostgres;
let copy: EmbeddedPostgres;

/**
 * A primary, and a standby copied from the stopped primary's folder, which then streams from it.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-standby-'));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const made = await startEmbedded({ dataDir: one, log: () => {} });
  const making = openOwnerDatabase(made.url);
  await migrate(making);
  await making.destroy();
  await made.stop();
  await mkdir(other, { mode: 0o700 });
  await promisify(execFile)('cp', ['-a', join(one, 'postgres'), join(other, 'postgres')]);
  primary = await startEmbedded({ dataDir: one, log: () => {} });
  const socketDir = new URL(primary.url).searchParams.get('host');
  await writeFile(join(other, 'postgres', 'standby.signal'), '');
  await appendFile(
    join(other, 'postgres', 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${socketDir} user=postgres'\n`,
  );
  copy = await startEmbedded({ dataDir: other, log: () => {} });
});
afterAll(async () => {
  await copy.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a pool for writes uses no connection of a standby, and closes one whose server stopped accepting writes', async () => {
  const astray = openDatabase(copy.url, () => {});
  await expect(sql`SELECT 1`.execute(astray)).rejects.toMatchObject({ code: '25006' });
  await astray.destroy();

  const single = openDatabase(primary.url, () => {}, { connections: 1 });
  const write = () => sql`DELETE FROM limit_counts`.execute(single);
  const connection = async () =>
    (await sql<{ id: number }>`SELECT pg_backend_pid() AS id`.execute(single)).rows[0]!.id;
  await sql`SET default_transaction_read_only = on`.execute(single);
  const before = await connection();
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  expect(await connection()).not.toBe(before);
  await write();
  await single.destroy();
});
