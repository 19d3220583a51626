import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Config } from '#config/config.ts';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { useTestApp } from '#test/app.ts';
import { createDatabase, databaseUrl } from '#test/templates.ts';
import { forgetBackups, makeBackup, planBackup } from './make.ts';
import { restoreBackup } from './restore.ts';
import { connectAsOwner, filledByMigrations, findHidden, readTables } from './stored.ts';
import { verifyBackup } from './verify.ts';
import { addRows } from '#test/rows.ts';

const work = { signal: new AbortController().signal, onProgress: () => {} };
let url: string;
let folder: string;
let config: Config;
const api = useTestApp('demo_template');
beforeAll(async () => {
  const rows = await api.sql<{ name: string }>`SELECT current_database() AS name`;
  url = databaseUrl(inject('clusterUrl'), rows[0]!.name);
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  config = { ...api.ctx.config, dataDir: join(folder, 'data') };
});
afterAll(() => rm(folder, { recursive: true }));

async function newDatabase(
  template: 'template0' | 'empty_template',
): Promise<{ url: string; owner: Database }> {
  const name = `backup_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, template);
  await maintenance.destroy();
  const own = databaseUrl(inject('clusterUrl'), name);
  return { url: own, owner: openOwnerDatabase(own) };
}

async function countAll(owner: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    SELECT nspname || '.' || relname AS name, (xpath('/row/c/text()',
      query_to_xml(format('SELECT count(*) AS c FROM %I.%I', nspname, relname), false, true, '')))[1]::text::int AS count
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE nspname IN ('public', 'sandbox_gateway') AND relkind = 'r' AND relname <> 'backups'`.execute(
    owner,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

describe('a backup', () => {
  test('is estimated before, which writes nothing', async () => {
    const place = join(folder, 'not', 'there');
    expect(await planBackup({ url, config, folder: place })).toMatchObject({ photos: 0 });
    expect(await readdir(folder)).not.toContain('not');
  });

  test('holds everything, verifies, and is restored into an empty database', async () => {
    const place = join(folder, 'all');
    const made = await makeBackup({ url, config, folder: place, ...work });
    expect(await verifyBackup(made.path, { secret: config.secret, ...work })).toMatchObject({
      isUnderOurSecret: true,
    });
    for (const template of ['template0', 'empty_template'] as const) {
      const target = await newDatabase(template);
      const settings = {
        url: target.url,
        config,
        folder: made.path,
        takesOtherSecret: false,
        ...work,
      };
      expect(await restoreBackup({ ...settings, isDry: true })).toMatchObject({ rows: made.rows });
      expect(await restoreBackup({ ...settings, isDry: false })).toMatchObject({
        rows: made.rows,
        faults: [],
      });
      expect(await countAll(target.owner)).toEqual(await countAll(api.owner));
      await expect(restoreBackup({ ...settings, isDry: false })).rejects.toThrow(
        'The database holds data already',
      );
      await target.owner.destroy();
    }
  });

  test('reports a photo without a file, and is made all the same', async () => {
    const { id } = await api.owner
      .selectFrom('tenants')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const key = randomUUID();
    const row = {
      content_type: 'image/jpeg',
      bytes: 1,
      width: 1,
      height: 1,
      file_key: key,
    } as const;
    await addRows(api.owner, 'images', { tenant_id: id, ...row });
    const made = await makeBackup({ url, config, folder: join(folder, 'photos'), ...work });
    expect(made.missing).toEqual([key]);
    await api.owner.deleteFrom('images').where('file_key', '=', key).execute();
  });

  test('that is stopped leaves no files', async () => {
    const place = join(folder, 'stopped');
    const making = makeBackup({
      url,
      config,
      folder: place,
      signal: AbortSignal.abort(),
      onProgress: () => {},
    });
    await expect(making).rejects.toThrow('aborted');
    expect(await readdir(place)).toEqual([]);
  });

  test('removes the older ones and the files that a killed one left, and nothing else', async () => {
    const place = join(folder, 'old');
    const names = [
      'gatehouse-20260101T000000Z',
      'gatehouse-20260102T000000Z',
      'gatehouse-20260103T000000Z',
      'mine',
    ];
    for (const name of names) await mkdir(join(place, name), { recursive: true });
    expect(await forgetBackups(place, 2)).toEqual(names.slice(0, 1));
    expect(await readdir(place)).toEqual(names.slice(1));
    const [killed, underWay] = [
      'gatehouse-20260104T000000Z.part',
      'gatehouse-20260105T000000Z.part',
    ];
    for (const name of [killed, underWay]) await mkdir(join(place, name));
    await utimes(join(place, killed), 1, 1);
    await makeBackup({ url, config, folder: place, ...work });
    expect(await readdir(place)).not.toContain(killed);
    expect(await readdir(place)).toContain(underWay);
  });

  test('fails with a sentence where the folder is a file', async () => {
    await expect(makeBackup({ url, config, folder: '/dev/null', ...work })).rejects.toThrow(
      'no folder',
    );
  });
});

test('a table that hides rows from its owner is found', async () => {
  const client = await connectAsOwner(url);
  expect(await findHidden(client)).toEqual([]);
  await client.query('BEGIN; DROP POLICY work ON public.tenants');
  expect(await findHidden(client)).toEqual(['public.tenants']);
  await client.query('ROLLBACK');
  await client.end();
});

test('a migrated database without data is empty but for what its migrations filled', async () => {
  const { url: empty, owner } = await newDatabase('empty_template');
  const client = await connectAsOwner(empty);
  const filled: string[] = [];
  for (const { name } of await readTables(client))
    if ((await client.query(`SELECT FROM ${name} LIMIT 1`)).rowCount !== 0) filled.push(name);
  expect(filled.filter((name) => !filledByMigrations.has(name))).toEqual([]);
  await client.end();
  await owner.destroy();
});
