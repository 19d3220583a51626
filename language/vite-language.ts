import { compileMessage, type CompiledMessage } from '@lingui/message-utils/compileMessage';
import { parseSync, type Plugin } from 'vite';
import type { Language } from './src/language.ts';
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

/** The code with its texts; throws for a call that says its text in another way than as a literal. */
export function writeTexts(code: string, file: string, of: Language): string {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const names = new Set<string>();
  const edits: { start: number; end: number; text: string }[] = [];
  for (const node of (program as unknown as { body: Node[] }).body) {
    const from = (node['source'] as { value: string } | null | undefined)?.value ?? '';
    if (node.type !== 'ImportDeclaration' || node['importKind'] === 'type') continue;
    if (!/^@gatehouse\/language\/(t|rich|language)$/.test(from)) continue;
    for (const { local } of node['specifiers'] as { local: { name: string } }[])
      names.add(local.name);
    edits.push({ start: node.start, end: node.end, text: '' });
  }
  const calls: Node[] = [];
  visit(program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression') return;
    const callee = node['callee'] as Node & { name?: string };
    if (callee.type === 'Identifier' && names.has(callee.name ?? '')) calls.push(node);
  });
  const outer = calls.filter(
    (call) => !calls.some((other) => other.start < call.start && call.end <= other.end),
  );
  for (const call of outer) edits.push({ start: call.start, end: call.end, text: written(call) });
  return applied(0, code.length, edits);

  /** A piece of the code with some of it replaced; no line moves. */
  function applied(start: number, end: number, replaced: typeof edits): string {
    let made = '';
    let at = start;
    for (const edit of replaced.toSorted((a, b) => a.start - b.start)) {
      const lines = (text: string) => text.split('\n').length - 1;
      const missing = lines(code.slice(edit.start, edit.end)) - lines(edit.text);
      made += code.slice(at, edit.start) + edit.text + '\n'.repeat(Math.max(missing, 0));
      at = edit.end;
    }
    return made + code.slice(at, end);
  }

  /** The code of a value, with the texts in it written out. */
  function valueOf(node: Node): string {
    const within = calls.filter((call) => node.start <= call.start && call.end <= node.end);
    const first = within.filter(
      (call) => !within.some((other) => other.start < call.start && call.end <= other.end),
    );
    return applied(
      node.start,
      node.end,
      first.map((call) => ({
        start: call.start,
        end: call.end,
        text: written(call),
      })),
    );
  }

  function written(call: Node): string {
    const { name } = call['callee'] as { name: string };
    if (name === 'language') return JSON.stringify(of);
    if (name === 'locale') return JSON.stringify(of === 'es' ? 'es-US' : 'en-US');
    const [message, values] = call['arguments'] as Node[];
    const text = message?.['value'];
    if (message?.type !== 'Literal' || typeof text !== 'string')
      throw new Error(`${file}: ${name} takes its message as a literal`);
    if (!Object.hasOwn(spanish, text)) throw new Error(`${file}: "${text}" has no Spanish`);
    const given = new Map<string, string>();
    for (const property of (values?.['properties'] ?? []) as Node[])
      given.set((property['key'] as { name: string }).name, valueOf(property['value'] as Node));
    const compiled = compileMessage(of === 'es' ? spanish[text as keyof typeof spanish] : text);
    const filled = (key: string) => {
      const value = given.get(key);
      if (value === undefined) throw new Error(`${file}: "${text}" has no value for ${key}`);
      return value;
    };
    return name === 'rich' ? asChildren(compiled, filled) : asText(compiled, filled);
  }
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
  return `\`${message.map((token) => (typeof token === 'string' ? escaped(token) : `\${${expression(token, filled)}}`)).join('')}\``;
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
  // Both languages have these two forms, and the first for 1 alone.
  return `((${value}) === 1 ? ${chosen(one)} : ${chosen(other)})`;
}

function escaped(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&');
}
