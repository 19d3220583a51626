import { pathToFileURL } from 'node:url';
import type { AnyEndpoint } from '#api/call.ts';
import type { Plugin } from 'vite';
import { guardOf, type Named } from './vite-guards.ts';

/**
 * What of an endpoint is the server's and the API page's alone: `call` (src/api/call.ts) needs none
 * of it.
 */
const left = [
  ...['subject', 'summary', 'example', 'params', 'query', 'body', 'replyHeaders', 'confirm'],
];

type Node = { type: string; start: number; end: number };
type Property = Node & { key?: Node & { name?: string }; value?: Node & { value?: unknown } };
type Call = Node & {
  callee: Node & { name?: string };
  arguments: (Node & { properties?: Property[] })[];
};
type Import = Node & {
  source: { value: string };
  specifiers: (Node & { imported?: { name: string }; local: { name: string } })[];
};
type Module = Record<string, (Partial<AnyEndpoint> & { name?: string }) | undefined>;

/**
 * Leaves out of the contract's endpoints what a browser never reads, and checks their replies by
 * guards, which are a tenth of zod: the shapes that only endpoints name go with it.
 */
export function wireOnly(): Plugin {
  return {
    name: 'wire-only',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/src\/[^/]+\.ts$/ },
      order: 'post',
      async handler(code, id) {
        const tree = this.parse(code);
        const endpoints = endpointsIn(tree);
        if (endpoints.length === 0) return;
        const named = await namedReplies(tree.body, id);
        const module = await load(id);
        let kept = code;
        for (const { properties = [] } of endpoints.toReversed()) {
          const name = properties.find(({ key }) => key?.name === 'name')?.value?.value;
          const found = Object.values(module).find((value) => value?.name === name);
          if (!found?.reply) throw new Error(`${id} exports no endpoint ${String(name)}`);
          for (const [index, { key, value, start, end }] of [
            ...properties.entries(),
          ].toReversed()) {
            if (key?.name === 'reply' && value) {
              const guard = `guards.shapeOf(${guardOf(found.reply, named)})`;
              kept = kept.slice(0, value.start) + guard + kept.slice(value.end);
            } else if (left.includes(key?.name ?? '')) {
              kept = kept.slice(0, start) + kept.slice(properties[index + 1]?.start ?? end);
            }
          }
        }
        return { code: `import * as guards from './guards.ts';\n${kept}`, map: null };
      },
    },
  };
}

/** The replies of endpoints that the module imports, by what it calls them. */
async function namedReplies(body: Node[], id: string): Promise<Named> {
  const named: Named = new Map();
  for (const node of body) {
    if (node.type !== 'ImportDeclaration') continue;
    const { source, specifiers } = node as Import;
    if (!source.value.startsWith('.')) continue;
    const module = await load(new URL(source.value, pathToFileURL(id)).pathname);
    for (const { imported, local } of specifiers) {
      const reply = imported && module[imported.name]?.reply;
      if (reply) named.set(reply, `${local.name}.reply.guard`);
    }
  }
  return named;
}

async function load(file: string): Promise<Module> {
  return (await import(pathToFileURL(file).href)) as Module;
}

/** The arguments of the calls of `endpoint`, in the order of the text. */
function endpointsIn(node: unknown): Call['arguments'] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, callee, arguments: values } = node as Call;
  if (type === 'CallExpression' && callee.name === 'endpoint') return values;
  return Object.values(node).flatMap(endpointsIn);
}
