import ts from 'typescript';

/**
 * Where a file asks for the machine's time: `new Date()`, `Date.now`, and `now()` in SQL, which
 * is the database's. Answers each with its line.
 */
export function readsOfMachineClock(file: string, text: string): string[] {
  if (!/Date|now\(\)/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: string[] = [];

  function visit(node: ts.Node): void {
    const what = readIn(node);
    if (what !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${line + 1}: ${what}`);
    }
    node.forEachChild(visit);
  }
  visit(source);
  return found;
}

function readIn(node: ts.Node): string | null {
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date'))
    return (node.arguments ?? []).length === 0 ? 'new Date()' : null;
  if (ts.isPropertyAccessExpression(node))
    return isNamed(node.expression, 'Date') && node.name.text === 'now' ? 'Date.now' : null;
  if (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  )
    return /\bnow\(\)/.test(node.text) ? 'now() in SQL' : null;
  return null;
}

function isNamed(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
