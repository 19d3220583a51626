import ts from 'typescript';

/** A text in the code that the catalogue does not have, with its line. */
export type StrayText = { line: number; text: string };

/**
 * The texts of a file that a reader would see in English in every language: words in an element,
 * and literals that read like a title or a sentence, outside of `t` and `rich`. Not
 * counted are texts for programmers: errors thrown, console, logs, imports, types, keys, and what
 * is compared.
 */
export function strayTexts(file: string, code: string): StrayText[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: StrayText[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (isForProgrammers(node)) return;
    const text = textOf(node);
    if (text !== null && !isMessage(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ line: line + 1, text: text.trim() });
      return;
    }
    node.forEachChild(visit);
  }
}

/** The words that a node shows; null where it shows none. */
function textOf(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text) ? node.text : null;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return isOffered(node) && readsLikeText(node.text) ? node.text : null;
  }
  if (!ts.isTemplateExpression(node)) return null;
  const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return readsLikeText(parts.join('0')) ? node.getText() : null;
}

/** A title (`Billing`, `Pay now`), or words that end as a sentence does. */
function readsLikeText(text: string): boolean {
  const words = text.trim();
  return (
    /^\p{Lu}\p{Ll}+(['’]\p{Ll}+)?([ ,:….?!0]|$)/u.test(words) ||
    /\p{Ll}{2} \p{Ll}+.*[.?…]$/su.test(words)
  );
}

/** Whether a literal is a value, and not a key, a type or something that is only compared. */
function isOffered(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isLiteralTypeNode(parent) || ts.isElementAccessExpression(parent)) return false;
  if (ts.isCaseClause(parent)) return false;
  if (ts.isJsxAttribute(parent) && codeAttributes.test(parent.name.getText())) return false;
  return !(
    ts.isBinaryExpression(parent) &&
    [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      parent.operatorToken.kind,
    )
  );
}

/** Attributes whose value is code. */
const codeAttributes =
  /^(className|d|viewBox|points|transform|name|id|key|href|type|role|data-.*)$/;

function isMessage(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    /^(t|rich)$/.test(parent.expression.getText())
  );
}

function isForProgrammers(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node))
    return true;
  if (ts.isNewExpression(node))
    return /^(Error|TypeError|LoadError|Headers|URL)$/.test(node.expression.getText());
  if (ts.isPropertyAssignment(node) && /^(summary|subject|example)$/.test(node.name.getText()))
    return true;
  return (
    ts.isCallExpression(node) &&
    /^console\.|\blog\.(info|warn|error)$/.test(node.expression.getText())
  );
}
