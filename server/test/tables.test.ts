import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import ts from 'typescript';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { createDatabase, databaseUrl } from './templates.ts';

/** Kysely's own. */
const MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

let owner: Database;
beforeAll(async () => {
  const name = `tables_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'empty_template');
  await maintenance.destroy();
  owner = openOwnerDatabase(databaseUrl(inject('clusterUrl'), name));
});
afterAll(() => owner.destroy());

test('tables.ts declares every column of the migrated database, with its type', async () => {
  const declared = declaredColumns();
  const migrated = await migratedColumns();
  const comparable = (columns: Map<string, Column>) => {
    const facts: Record<string, Partial<Column>> = {};
    for (const [name, { type, values, isNullable, mayBeOmitted }] of columns) {
      const real = migrated.get(name);
      // A view's columns have no constraints, and `unknown`, which JSON is, includes null. The
      // declaration may list the values of a column that no check restricts.
      if (real?.isInView) facts[name] = { type };
      else if (real?.type === 'json') facts[name] = { mayBeOmitted };
      else facts[name] = { type, values: real?.values && values, isNullable, mayBeOmitted };
    }
    return facts;
  };
  expect(comparable(declared)).toEqual(comparable(migrated));
});

type Column = {
  type: string;
  /** The only values that it can have, in order; null for any of its type. */
  values: string[] | null;
  isNullable: boolean;
  /** Whether an insert need not name it. */
  mayBeOmitted: boolean;
  isInView?: boolean;
};

/** The columns of `Tables` as `table.column`, as the compiler resolves them. */
function declaredColumns(): Map<string, Column> {
  const path = fileURLToPath(new URL('table-types.ts', import.meta.url));
  const program = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(path)!)!,
  );
  const rowsOf = (name: string) =>
    checker.getDeclaredTypeOfSymbol(exported.find((symbol) => symbol.name === name)!);
  const inserted = rowsOf('Inserted');
  const columns = new Map<string, Column>();
  for (const table of rowsOf('Selected').getProperties()) {
    const values = checker.getTypeOfSymbol(inserted.getProperty(table.name)!);
    for (const column of checker.getTypeOfSymbol(table).getProperties())
      columns.set(`${table.name}.${column.name}`, {
        ...readType(checker, checker.getTypeOfSymbol(column)),
        mayBeOmitted: (values.getProperty(column.name)!.flags & ts.SymbolFlags.Optional) !== 0,
      });
  }
  return columns;
}

function readType(
  checker: ts.TypeChecker,
  type: ts.Type,
): Pick<Column, 'type' | 'values' | 'isNullable'> {
  const given = checker.getNonNullableType(type);
  const parts = given.isUnion() ? given.types : [given];
  const literals = parts
    .filter((part) => part.isLiteral())
    .map((part) => checker.typeToString(part).replace(/^"(.*)"$/, '$1'));
  return {
    type: checker
      .typeToString(checker.getBaseTypeOfLiteralType(given))
      .replace(/^Buffer<.*>$/, 'Buffer'),
    values: literals.length === 0 ? null : literals.sort(),
    isNullable: given !== type,
  };
}

const typeOf: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  'text[]': 'string[]',
  date: 'string',
  daterange: 'string',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
  'uuid[]': 'string[]',
};

/** The same of the tables and views that the migrations made. */
async function migratedColumns(): Promise<Map<string, Column>> {
  const { rows } = await sql<Column & { name: string; checks: string | null }>`
    SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname || '.' || a.attname AS name,
      format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS "isNullable",
      NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '' AS "mayBeOmitted", c.relkind = 'v' AS "isInView",
      (SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k
        WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]) AS checks
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'sandbox_gateway') AND c.relkind IN ('r', 'v') AND c.relname <> ALL (${MIGRATIONS}::text[])
      AND a.attnum > 0 AND NOT a.attisdropped`.execute(owner);
  return new Map(
    rows.map(({ name, checks, type, ...rest }) => [
      name,
      { ...rest, type: typeOf[type] ?? type, values: valuesIn(checks) },
    ]),
  );
}

/** The values that `CHECK (state = ANY (ARRAY['new'::text, 'done'::text]))` allows. */
function valuesIn(checks: string | null): string[] | null {
  const list = / = ANY \(ARRAY\[(.*?)\]\)/.exec(checks ?? '')?.[1];
  if (list === undefined) return null;
  return list
    .split(', ')
    .map((value) => value.replace(/::\w+$/, '').replace(/^'(.*)'$/, '$1'))
    .sort();
}
