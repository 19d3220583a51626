import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** Migrated databases that a test file copies: an empty one, and the demo world of today. */
export type Template = 'empty_template' | 'demo_template';

/** Makes a database, from `template0` or as a copy. The name is ours, never input. */
export async function createDatabase(
  maintenance: Database,
  name: string,
  template: Template | 'template0',
): Promise<void> {
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE ${sql.id(template)}`.execute(maintenance);
}

/** The same cluster's URL for another of its databases. */
export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
