import ts from 'typescript';

/**
 * The lines of JSX, as `file:line`, whose texts do not survive a translation of the page by the
 * browser. It puts an element in place of each text node; React then writes a changed text into the
 * node that is gone, and fails where it removes that node or puts something before it. An element
 * with one string as its only child is safe: React sets its content as a whole. So these are found:
 *
 * - a text that changes and has siblings, and a fixed text with a sibling that comes and goes;
 * - a text that has no element around it: of a fragment, an array, or what a component returns;
 * - a text for a component that puts it between other children.
 */
export function bareTexts(program: ts.Program, files: readonly string[]): string[] {
  const checker = program.getTypeChecker();
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? []);
  const found = new Set<string>();
  const slots = new Map<ts.Node, Set<string>>();
  for (const source of sources) visit(source, findBare);
  // A component may hand on what it is given to another one.
  for (let known = -1; known !== countSlots();) {
    known = countSlots();
    for (const source of sources) visit(source, findInSlots);
  }
  return [...found].toSorted();

  function countSlots(): number {
    return [...slots.values()].reduce((sum, { size }) => sum + size, 0);
  }

  function report(node: ts.Node): void {
    const source = node.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.add(`${source.fileName}:${line + 1}`);
  }

  function findBare(node: ts.Node): void {
    if (ts.isFunctionDeclaration(node) && /^[A-Z]/.test(node.name?.text ?? '')) {
      const signature = checker.getSignatureFromDeclaration(node);
      if (signature && kindOfType(checker.getReturnTypeOfSignature(signature)) === 'text')
        report(node);
    }
    if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return;
    const children = childrenOf(node);
    const kinds = children.map(({ kind }) => kind);
    const isAlone = children.length === 1 && ts.isJsxElement(node);
    const isBare = isAlone
      ? kinds.includes('texts')
      : kinds.some((kind) => kind === 'text' || kind === 'texts' || kind === 'rich') ||
        (kinds.includes('fixed') &&
          (ts.isJsxFragment(node) || kinds.some((kind) => kind === 'node' || kind === 'changing')));
    if (isBare) report(node);
    if (!isAlone) for (const { expression } of children) addSlots(expression);
  }

  /** Text for a prop that its component puts between other children. */
  function findInSlots(node: ts.Node): void {
    if (!ts.isJsxOpeningElement(node) && !ts.isJsxSelfClosingElement(node)) return;
    const component = componentOf(node.tagName);
    const props = component && (slots.get(component) ?? slotsOfLibrary(component));
    if (props === undefined) return;
    const given: Child[] = [];
    for (const attribute of node.attributes.properties) {
      if (!ts.isJsxAttribute(attribute) || !props.has(attribute.name.getText())) continue;
      const { initializer } = attribute;
      if (initializer && ts.isStringLiteral(initializer)) report(node);
      else if (initializer && ts.isJsxExpression(initializer)) given.push(childOf(initializer));
    }
    if (props.has('children') && ts.isJsxOpeningElement(node))
      given.push(...childrenOf(node.parent));
    for (const { kind, expression } of given) {
      if (/^(text|texts|rich)$/.test(kind) || (kind === 'fixed' && slots.has(component!)))
        report(node);
      addSlots(expression);
    }
  }

  /** A library's button has its spinner next to its label, in an element that stays. */
  function slotsOfLibrary(component: ts.Node): Set<string> | undefined {
    const isButton = /node_modules\/.*Button\.d\.m?ts$/.test(component.getSourceFile().fileName);
    return isButton ? new Set(['children']) : undefined;
  }

  /** Notes the props that are put between other children. */
  function addSlots(expression: ts.Expression | undefined): void {
    for (const one of expression ? outcomesOf(expression) : []) {
      if (!ts.isIdentifier(one) || kindOfType(checker.getTypeAtLocation(one)) !== 'node') continue;
      const declaration = checker.getSymbolAtLocation(one)?.valueDeclaration;
      if (!declaration || !ts.isBindingElement(declaration)) continue;
      const component = declaration.parent.parent.parent;
      if (!ts.isFunctionLike(component)) continue;
      const props = slots.get(component) ?? new Set();
      slots.set(component, props.add((declaration.propertyName ?? declaration.name).getText()));
    }
  }

  function componentOf(tag: ts.JsxTagNameExpression): ts.Node | undefined {
    const symbol = checker.getSymbolAtLocation(tag);
    if (symbol === undefined) return undefined;
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return (isAlias ? checker.getAliasedSymbol(symbol) : symbol).valueDeclaration;
  }

  function childrenOf({ children }: ts.JsxElement | ts.JsxFragment): Child[] {
    return children.map(childOf).filter(({ kind }) => kind !== 'none');
  }

  function childOf(child: ts.JsxChild): Child {
    if (ts.isJsxText(child)) return { kind: child.text.trim() === '' ? 'none' : 'fixed' };
    if (!ts.isJsxExpression(child)) return { kind: 'element' };
    const { expression } = child;
    if (expression === undefined) return { kind: 'none' };
    const outcomes = outcomesOf(expression);
    const kinds = outcomes.map(kindOf);
    if (outcomes.length === 1) return { kind: kinds[0]!, expression };
    // Which of them is shown changes.
    const kind = (['texts', 'rich', 'text', 'fixed', 'node'] as const).find((one) =>
      kinds.includes(one),
    );
    if (kind === 'rich') return { kind: 'texts', expression };
    return { kind: kind === 'fixed' ? 'text' : (kind ?? 'changing'), expression };
  }

  function kindOf(expression: ts.Expression): Kind {
    if (ts.isStringLiteralLike(expression)) return expression.text.trim() === '' ? 'none' : 'fixed';
    if (ts.isJsxElement(expression) || ts.isJsxSelfClosingElement(expression)) return 'element';
    // The build writes a text without values as a literal, and one with elements as a fragment.
    if (ts.isCallExpression(expression)) {
      const name = expression.expression.getText();
      if (name === 't' && expression.arguments.length === 1) return 'fixed';
      if (name === 'rich') return richKind(expression);
    }
    return kindOfType(checker.getTypeAtLocation(expression));
  }

  /** A fragment of texts that stay with elements between them, or else of texts that change. */
  function richKind({ arguments: [, values] }: ts.CallExpression): Kind {
    const properties = values && ts.isObjectLiteralExpression(values) ? values.properties : [];
    const areElements = properties.every((property) => {
      const value = ts.isPropertyAssignment(property) ? property.initializer : property.name;
      return value && ts.isExpression(value) && !/^(text|texts|node)$/.test(kindOf(value));
    });
    return areElements ? 'rich' : 'texts';
  }

  function kindOfType(type: ts.Type): Kind {
    const [call] = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
    if (call)
      return kindOfType(checker.getReturnTypeOfSignature(call)) === 'text' ? 'texts' : 'changing';
    const parts = type.isUnion() ? type.types : [type];
    const has = (flags: ts.TypeFlags) => parts.some((part) => (part.flags & flags) !== 0);
    const text = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike;
    // React's own type of all that can be shown has big integers too.
    if (has(text)) return has(ts.TypeFlags.BigIntLike) ? 'node' : 'text';
    if (has(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'node';
    const item = parts.map((part) => checker.getIndexTypeOfType(part, ts.IndexKind.Number));
    return item.some((one) => one && kindOfType(one) === 'text') ? 'texts' : 'changing';
  }
}

/**
 * What a child comes to: a text that stays, one that may change, several, an element, something
 * that comes and goes, or what another component decides.
 */
type Kind = 'none' | 'fixed' | 'text' | 'texts' | 'rich' | 'element' | 'changing' | 'node';

type Child = { kind: Kind; expression?: ts.Expression };

/** What an expression may come to and shows then, its conditions left out. */
function outcomesOf(expression: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(expression)) return outcomesOf(expression.expression);
  if (ts.isConditionalExpression(expression))
    return [...outcomesOf(expression.whenTrue), ...outcomesOf(expression.whenFalse)];
  if (!ts.isBinaryExpression(expression)) return [expression];
  const { operatorToken, left, right } = expression;
  if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return [ts.factory.createNull(), ...outcomesOf(right)];
  if (/^(\?\?|\|\|)$/.test(operatorToken.getText()))
    return [...outcomesOf(left), ...outcomesOf(right)];
  return [expression];
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}
