import { compileMessage, type CompiledMessage } from '@lingui/message-utils/compileMessage';
import { parseSync, type Plugin } from 'vite';
import { type Language, locales } from './src/language.ts';
import { spanish } from './src/spanish.ts';

/**
 * Writes the texts of one language into the code, in place of the calls of `t`, `rich`, `language`
 * and `locale`: a page has the texts of its language where it shows them, and nothing of a
 * catalogue (docs/decisions/0067).
 */
export function inLanguage(of: Language): Plugin {
  return {
    name: 'language',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /@gatehouse\/language\// },
      handler(code, id) {
        return { code: writeTexts(code, id, of), map: null };
      },
    },
    transformIndexHtml: (html) => html.replace('lang="en"', `lang="${of}"`),
  };
}

/** What is used of a parsed node. */
type Node = { type: string; start: number; end: number; [key: string]: unknown };

/** What is used of a name in an import. */
type Imported = { importKind?: string; local: { name: string } };

/** The code with its texts in one language; throws for a call whose message is no literal. */
export function writeTexts(code: string, file: string, of: Language): string {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const names = new Set<string>();
  const replaced: (Pick<Node, 'start' | 'end'> & { by: () => string })[] = [];
  for (const node of (program as unknown as { body: Node[] }).body) {
    const from = (node['source'] as { value: string } | null | undefined)?.value ?? '';
    if (node.type !== 'ImportDeclaration' || node['importKind'] === 'type') continue;
    if (!/^@gatehouse\/language\/(t|rich|language)$/.test(from)) continue;
    for (const { importKind, local } of node['specifiers'] as Imported[]) {
      if (importKind === 'type') continue;
      if (!/^(t|rich|language|locale)$/.test(local.name))
        throw new Error(`${file}: ${local.name} is not for pages`);
      names.add(local.name);
    }
    replaced.push({ ...node, by: () => '' });
  }
  visit(program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression') return;
    const callee = node['callee'] as Node & { name?: string };
    if (callee.type === 'Identifier' && names.has(callee.name ?? ''))
      replaced.push({ ...node, by: () => expressionOf(node) });
  });
  replaced.sort((a, b) => a.start - b.start);
  return written({ start: 0, end: code.length });

  /** A piece of the code with its imports and calls replaced; no line moves. */
  function written(piece: Pick<Node, 'start' | 'end'>): string {
    let made = '';
    let at = piece.start;
    for (const { start, end, by } of replaced) {
      // Outside of the piece, or in a call that is replaced as a whole.
      if (start < at || end > piece.end) continue;
      const text = by();
      const missing = linesIn(code.slice(start, end)) - linesIn(text);
      made += code.slice(at, start) + text + '\n'.repeat(Math.max(missing, 0));
      at = end;
    }
    return made + code.slice(at, piece.end);
  }

  function expressionOf(call: Node): string {
    const { name } = call['callee'] as { name: string };
    if (name === 'language') return JSON.stringify(of);
    if (name === 'locale') return JSON.stringify(locales[of]);
    const [message, values] = call['arguments'] as Node[];
    const text = message?.['value'];
    if (message?.type !== 'Literal' || typeof text !== 'string')
      throw new Error(`${file}: ${name} takes its message as a literal`);
    if (!Object.hasOwn(spanish, text)) throw new Error(`${file}: "${text}" has no Spanish`);
    const given = new Map<string, string>();
    for (const property of (values?.['properties'] ?? []) as Node[])
      given.set((property['key'] as { name: string }).name, written(property['value'] as Node));
    const compiled = compileMessage(of === 'es' ? spanish[text as keyof typeof spanish] : text);
    const filled = (key: string) => {
      const value = given.get(key);
      if (value === undefined) throw new Error(`${file}: "${text}" has no value for ${key}`);
      return value;
    };
    return name === 'rich' ? asChildren(compiled, filled) : asText(compiled, filled);
  }
}

function linesIn(text: string): number {
  return text.split('\n').length;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, see);
}

/** The expression of a text: a literal, or a template with the values in it. */
function asText(message: CompiledMessage, filled: (name: string) => string): string {
  if (message.every((token) => typeof token === 'string')) return JSON.stringify(message.join(''));
  const parts = message.map((token) =>
    typeof token === 'string' ? escaped(token) : `\${${expression(token, filled)}}`,
  );
  return `\`${parts.join('')}\``;
}

/** The expression of a text with elements in it. */
function asChildren(message: CompiledMessage, filled: (name: string) => string): string {
  const children = message.map((token) =>
    typeof token === 'string' ? JSON.stringify(token) : expression(token, filled),
  );
  return `<>${children.map((child) => `{${child}}`).join('')}</>`;
}

type Placed = Exclude<CompiledMessage[number], string>;

function expression([name, kind, choices]: Placed, filled: (name: string) => string): string {
  const value = filled(name);
  if (kind === undefined) return value;
  const { one, other, offset, ...more } = choices as Record<string, string | CompiledMessage>;
  const isKnown = kind === 'plural' && offset === undefined && Object.keys(more).length === 0;
  if (!isKnown || one === undefined || other === undefined)
    throw new Error(`a message has {${name}, ${kind}}; only a plural of one and other is known`);
  const chosen = (choice: string | CompiledMessage) =>
    asText(
      [choice].flat().map((token) => (token === '#' ? ['#'] : token)),
      (inner) => (inner === '#' ? value : filled(inner)),
    );
  // Both languages have these two forms, and the first for 1 only.
  return `((${value}) === 1 ? ${chosen(one)} : ${chosen(other)})`;
}

function escaped(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&');
}
