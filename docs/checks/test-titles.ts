import ts from 'typescript';

/**
 * The titles of the tests that a file of Vitest or Playwright holds, each with those of the blocks
 * around it, joined by ` › `. A title with values in it counts as it is written: `number of %d
 * characters`, `in ${colorScheme} colours`. Tests and blocks that are skipped for good (`skip`,
 * `todo`, `fixme`) are none.
 */
export function testTitles(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const titles: string[] = [];

  function visit(node: ts.Node, blocks: string[]): void {
    let around = blocks;
    if (ts.isCallExpression(node)) {
      const kind = kindOf(node.expression);
      if (kind === 'skipped') return;
      const title = kind === null ? null : titleOf(node.arguments[0], source);
      if (title !== null && kind === 'test') titles.push([...blocks, title].join(' › '));
      if (title !== null && kind === 'block') around = [...blocks, title];
    }
    node.forEachChild((child) => visit(child, around));
  }
  visit(source, []);
  return titles;
}

type Kind = 'test' | 'block' | 'skipped';

const kinds: Partial<Record<string, Kind>> = { test: 'test', it: 'test', describe: 'block' };
/**
 * What may stand behind `test` or `describe` and takes a title: `test.only('…')`,
 * `test.describe.serial('…')`, and a step of a test, `test.step('…')`.
 */
const modifiers = ['only', 'concurrent', 'sequential', 'serial', 'parallel', 'step'];
/** What takes values first and the title after: `test.each([…])('…')`. */
const templates = ['each', 'for', 'skipIf', 'runIf'];

/** What a call of `callee` with a title makes; null where it makes no test. */
function kindOf(callee: ts.Expression): Kind | null {
  if (ts.isIdentifier(callee)) return kinds[callee.text] ?? null;
  if (ts.isPropertyAccessExpression(callee)) return kindWith(callee, modifiers);
  const template = ts.isCallExpression(callee)
    ? callee.expression
    : ts.isTaggedTemplateExpression(callee)
      ? callee.tag
      : null;
  return template !== null && ts.isPropertyAccessExpression(template)
    ? kindWith(template, templates)
    : null;
}

function kindWith({ expression, name }: ts.PropertyAccessExpression, taken: string[]): Kind | null {
  const kind = kindOf(expression);
  if (kind === null || kind === 'skipped') return kind;
  if (['skip', 'todo', 'fixme'].includes(name.text)) return 'skipped';
  if (name.text === 'describe') return 'block';
  return taken.includes(name.text) ? kind : null;
}

function titleOf(title: ts.Expression | undefined, source: ts.SourceFile): string | null {
  if (title === undefined) return null;
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? title.getText(source).slice(1, -1) : null;
}
