import type { Plugin } from 'vite';

/**
 * What of an endpoint is the server's and the API page's alone: `call` (src/api/call.ts) needs none
 * of it.
 */
const left = ['subject', 'summary', 'example', 'params', 'query', 'body', 'replyHeaders'];

type Node = { type: string; start: number; end: number };
type Property = Node & { key?: Node & { name?: string } };
type Call = Node & {
  callee: Node & { name?: string };
  arguments: (Node & { properties?: Property[] })[];
};

/**
 * Leaves out of the contract's endpoints what a browser never reads; the shapes that nobody else
 * names go with it.
 */
export function wireOnly(): Plugin {
  return {
    name: 'wire-only',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/src\/[^/]+\.ts$/ },
      order: 'post',
      handler(code) {
        let kept = code;
        for (const { properties = [] } of endpointsIn(this.parse(code)).toReversed()) {
          for (const [index, { key, start, end }] of [...properties.entries()].toReversed()) {
            if (!left.includes(key?.name ?? '')) continue;
            kept = kept.slice(0, start) + kept.slice(properties[index + 1]?.start ?? end);
          }
        }
        return kept === code ? undefined : { code: kept, map: null };
      },
    },
  };
}

/** The arguments of the calls of `endpoint`, in the order of the text. */
function endpointsIn(node: unknown): Call['arguments'] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, callee, arguments: values } = node as Call;
  if (type === 'CallExpression' && callee.name === 'endpoint') return values;
  return Object.values(node).flatMap(endpointsIn);
}
