import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type BrotliOptions } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';

/** A shorter answer goes out in one packet as it is. */
const LEAST_BYTES = 1024;
/** What is longer is a photo, which is compressed already. */
const MOST_BYTES = 256 * 1024;

const brotli = promisify<string, BrotliOptions, Buffer>(brotliCompress);
const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
/** The one that makes the answer smallest first. */
const compress = {
  br: (text: string) => brotli(text, { params }),
  gzip: promisify<string, Buffer>(gzip),
};

/**
 * Compresses what a GET answers, from a kilobyte on, for clients that accept it; a proxy leaves an
 * answer with a coding as it is. Answers to other methods never are: they have the secrets that a
 * call makes, such as tokens, along with what was sent with it (decision 55). There is no `vary`,
 * because no answer of the API is stored.
 */
export function compressReads(api: FastifyInstance): void {
  api.addHook('onSend', async ({ method, raw }, reply, payload) => {
    if (method !== 'GET' || reply.hasHeader('content-encoding') || !isWorthIt(payload))
      return payload;
    const accepted = new Negotiator(raw).encodings(['br', 'gzip', 'identity']);
    const coding = (['br', 'gzip'] as const).find((one) => accepted.includes(one));
    if (coding === undefined) return payload;
    reply.header('content-encoding', coding);
    return compress[coding](payload);
  });
}

/** JSON is a string here, and a paper or a file is not. */
function isWorthIt(payload: unknown): payload is string {
  return (
    typeof payload === 'string' && payload.length >= LEAST_BYTES && payload.length <= MOST_BYTES
  );
}
