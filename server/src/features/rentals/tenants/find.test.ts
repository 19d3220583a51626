import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { findQuery } from './find.ts';

const api = useTestApp('demo_template');

const places = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
// spec 10.37
test.each([
  ...[
    ...['reyes', 'Muñoz', 'dana@example.com', '(817) 555-0142', '555-0142', 'A101', '3ABC'],
    '1000001',
  ].flatMap((text) => [
    [text, 'everywhere', null] as const,
    [text, 'at two facilities', places] as const,
  ]),
])('what %s fits %s is found by indexes alone', async (text, _, at) => {
  const plan = await api.ctx.db.transaction().execute(async (trx) => {
    // The demo world is small: without this it would be read whole though there is an index.
    await sql`SET LOCAL enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{
      'QUERY PLAN': string;
    }>`EXPLAIN ${findQuery(text, at && [...at])}`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).not.toContain('Seq Scan');
});
