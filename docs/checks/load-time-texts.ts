import ts from 'typescript';

/**
 * The lines on which a file asks for a text or the language while it is loaded. On a server such a
 * text stays English, although the language differs from call to call.
 */
export function loadTimeTexts(file: string, code: string): number[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const names = new Set(source.statements.flatMap(namesOfLanguage));
  const found: number[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node) && names.has(node.expression.getText(source)))
      found.push(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    node.forEachChild(visit);
  }
}

/** What a statement imports of the package, by the names that it has in the file. */
function namesOfLanguage(statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement)) return [];
  const { moduleSpecifier, importClause } = statement;
  const isLanguage = /^['"]@gatehouse\/language\/(t|language|stored)['"]$/;
  const bindings = importClause?.namedBindings;
  if (!isLanguage.test(moduleSpecifier.getText()) || !bindings || !ts.isNamedImports(bindings))
    return [];
  return bindings.elements.map(({ name }) => name.text).filter((name) => !name.startsWith('set'));
}
