import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { SeenColumns } from './rows-seen.ts';

const server = fileURLToPath(new URL('..', import.meta.url));

/** Where statements read money or decide who may see what. */
const READ = /^src\/(context|features|http|jobs|operator\/(cli|doctor|imports))\//;

/** What only the slow tests run. */
const SLOW = /^src\/operator\/imports\//;

/** By the id of PostgreSQL's type, what the driver makes of it. */
const families: Record<number, string> = {
  16: 'boolean',
  17: 'Buffer',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  114: 'json',
  701: 'number',
  1000: 'boolean[]',
  1009: 'string[]',
  1007: 'number[]',
  1043: 'string',
  1082: 'string',
  1184: 'Date',
  1700: 'string of a numeric',
  2950: 'string',
  2951: 'string[]',
  3802: 'json',
};

/**
 * `row-types.ts <folder> fast|slow`: compares the type of each statement written by hand, the `T`
 * of `sql<T>`, with what the database returned for it in the tests, as `rows-seen.ts` has noted it
 * in the folder. `slow` is about the statements that only the slow tests run, `fast` about the
 * others. Prints a column that is missing or of another type, a null that the type excludes, and a
 * statement that no test ran; exits with 1 where there is any.
 */
const [folder, speed] = process.argv.slice(2);
const faults = findRowFaults(findStatements(), await readSeen(folder!));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

type Statement = {
  /** The file and line. */
  place: string;
  /** Its text between what is interpolated. */
  parts: string[];
  columns: Map<string, { types: string[]; isNullable: boolean; isOptional: boolean }>;
};

/** Every `sql<T>` that is executed. */
function findStatements(): Statement[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(server, 'tsconfig.json'),
    { noEmit: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  )!;
  const files = config.fileNames.filter((file) => {
    const path = relative(server, file);
    if (!READ.test(path) || /\.(test|fixture)\.ts$/.test(path)) return false;
    return SLOW.test(path) === (speed === 'slow');
  });
  const program = ts.createProgram(files, config.options);
  const checker = program.getTypeChecker();
  const statements: Statement[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file)!;
    const visit = (node: ts.Node): void => {
      const statement = readStatement(checker, source, node);
      if (statement !== null) statements.push(statement);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return statements;
}

function readStatement(
  checker: ts.TypeChecker,
  source: ts.SourceFile,
  node: ts.Node,
): Statement | null {
  if (
    !ts.isTaggedTemplateExpression(node) ||
    node.tag.getText(source) !== 'sql' ||
    node.typeArguments === undefined ||
    !ts.isPropertyAccessExpression(node.parent) ||
    node.parent.name.text !== 'execute'
  )
    return null;
  const { template } = node;
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  const row = checker.getTypeFromTypeNode(node.typeArguments[0]!);
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return {
    place: `${relative(server, source.fileName)}:${line + 1}`,
    parts,
    columns: new Map(
      checker.getPropertiesOfType(row).map((column) => {
        const type = checker.getTypeOfSymbolAtLocation(column, node);
        const given = checker.getNonNullableType(type);
        const types = (given.isUnion() ? given.types : [given]).map((part) =>
          familyOf(checker, part),
        );
        const isNullable = given !== type || (type.flags & ts.TypeFlags.Unknown) !== 0;
        const isOptional = (column.flags & ts.SymbolFlags.Optional) !== 0;
        return [column.name, { types: [...new Set(types)], isNullable, isOptional }];
      }),
    ),
  };
}

function familyOf(checker: ts.TypeChecker, type: ts.Type): string {
  const name = checker.typeToString(checker.getBaseTypeOfLiteralType(type));
  if (['string', 'number', 'boolean', 'Date', 'string[]', 'number[]', 'boolean[]'].includes(name))
    return name;
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (type.flags & ts.TypeFlags.StringLike || type.isIntersection()) return 'string';
  if (name.startsWith('Buffer')) return 'Buffer';
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    const given = checker.getNonNullableType(element!);
    const family = familyOf(checker, given.isUnion() ? given.types[0]! : given);
    if (family !== 'json') return `${family}[]`;
  }
  return 'json';
}

function findRowFaults(statements: Statement[], seen: [string, SeenColumns][]): string[] {
  return statements.flatMap(({ place, parts, columns }) => {
    const results = seen.filter(([text]) => isOf(parts, text)).map(([, result]) => result);
    if (results.length === 0) return [`${place}: no test runs it`];
    const faults = results.flatMap((result) =>
      [...columns].flatMap(([name, { types, isNullable, isOptional }]) => {
        const column = result[name];
        if (column === undefined) return isOptional ? [] : [`${name} is not returned`];
        const family = families[column.type] ?? `type ${column.type}`;
        // What is in JSON has the type that its statement gives it.
        if (family !== 'json' && !types.includes(family))
          return [`${name} is ${family}, not ${types.join(' | ')}`];
        return column.hadNull && !isNullable ? [`${name} was null`] : [];
      }),
    );
    return [...new Set(faults)].map((fault) => `${place}: ${fault}`);
  });
}

/** Whether a statement's text has the parts in their order, with something in between. */
function isOf(parts: string[], text: string): boolean {
  if (parts.length === 1) return text === parts[0];
  const last = parts.at(-1)!;
  if (!text.startsWith(parts[0]!) || !text.endsWith(last)) return false;
  let at = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at + 1);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at < text.length - last.length;
}

async function readSeen(folder: string): Promise<[string, SeenColumns][]> {
  const texts = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  );
  return texts.flatMap((text) => JSON.parse(text) as [string, SeenColumns][]);
}
