import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** A shorter answer goes out in one packet as it is. */
const LEAST_BYTES = 1024;
/** What is longer is a photo, which is compressed already. */
const MOST_BYTES = 256 * 1024;

type Done = (error: Error | null, compressed: Buffer) => void;

/** The codings, the one that makes the answer smallest first. */
const codings: [name: string, compress: (text: string, done: Done) => void][] = [
  [
    'br',
    (text, done) => brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  ],
  ['gzip', (text, done) => gzip(text, done)],
];

/**
 * Compresses what a GET answers, from a kilobyte on, for clients that accept it; a proxy leaves an
 * answer with a coding as it is. Answers to other methods never are: they have the secrets that a
 * call makes, such as tokens, along with what was sent with it (decision 55). There is no `vary`,
 * because no answer of the API is stored.
 */
export function compressReads(api: FastifyInstance): void {
  api.addHook('onSend', (request, reply, payload, done) => {
    const coding =
      request.method === 'GET' ? codingFor(request.headers['accept-encoding']) : undefined;
    if (coding === undefined || reply.hasHeader('content-encoding') || !isWorthIt(payload)) {
      done(null, payload);
      return;
    }
    const [name, compress] = coding;
    compress(payload, (error, compressed) => {
      if (error !== null) {
        done(error);
        return;
      }
      reply.header('content-encoding', name);
      done(null, compressed);
    });
  });
}

/** JSON is a string here, and a paper or a file is not. */
function isWorthIt(payload: unknown): payload is string {
  return (
    typeof payload === 'string' && payload.length >= LEAST_BYTES && payload.length <= MOST_BYTES
  );
}

function codingFor(accepted: string | undefined) {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((text) => text.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name);
  return codings.find(([name]) => names.includes(name));
}
