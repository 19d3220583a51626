import { connect } from 'node:net';

/** The answer on a new connection: status 0 if it was closed without one. */
export type WireAnswer = { status: number; contentType: string; body: string; ms: number };

/** An answer that takes longer counts as none, however busy the machine is. */
const GIVE_UP_MS = 120_000;

/**
 * Sends bytes and reads until the server ends the connection. `isWhole`: a request that can be
 * answered as it is; others are ended after their last byte, as by a client that goes away.
 */
export function exchange(address: string, bytes: Buffer, isWhole: boolean): Promise<WireAnswer> {
  const { hostname, port } = new URL(address);
  const begun = performance.now();
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
    socket.on('connect', () => (isWhole ? socket.write(bytes) : socket.end(bytes)));
    socket.on('data', (part: Buffer) => parts.push(part));
    // A server that refuses a request may close while we still write.
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve({ ...readAnswer(Buffer.concat(parts)), ms: performance.now() - begun }),
    );
  });
}

/** The first final answer in what came; none is status 0. */
export function readAnswer(bytes: Buffer): Omit<WireAnswer, 'ms'> {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, contentType: '', body: '' };
  const head = bytes.subarray(0, end).toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return readAnswer(rest);
  const contentType = /^content-type: *(.*)$/im.exec(head)?.[1] ?? '';
  const length = /^content-length: *(\d+)$/im.exec(head)?.[1];
  const isChunked = /^transfer-encoding: *chunked$/im.test(head);
  const body = isChunked
    ? joinChunks(rest)
    : rest.subarray(0, length === undefined ? rest.length : Number(length));
  return { status, contentType, body: body.toString() };
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? 0 : Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
