import { once } from 'node:events';

/** The inspector of a server that was started with `--inspect=127.0.0.1:0`; `log` is its output. */
export async function openInspector(log: string): Promise<Inspector> {
  const url = [...log.matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
  if (url === undefined) throw new Error('the server says of no inspector');
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return new Inspector(socket);
}

type Message = {
  id?: number;
  method?: string;
  params?: { chunk?: string };
  result?: object;
  error?: object;
};

/** Speaks to a running server as its debugger. */
export class Inspector {
  readonly #socket: WebSocket;
  #last = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** All strings of a heap snapshot after a garbage collection. */
  async heapTexts(): Promise<string> {
    const chunks: string[] = [];
    const collect = ({ data }: MessageEvent) => {
      const { method, params } = JSON.parse(String(data)) as Message;
      if (method === 'HeapProfiler.addHeapSnapshotChunk') chunks.push(params?.chunk ?? '');
    };
    this.#socket.addEventListener('message', collect);
    await this.#call('HeapProfiler.collectGarbage');
    await this.#call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    this.#socket.removeEventListener('message', collect);
    const snapshot = chunks.join('');
    const strings = snapshot.lastIndexOf('"strings":[');
    if (strings === -1) throw new Error('a heap snapshot without strings');
    return snapshot.slice(strings);
  }

  /** Runs code in the server, to plant a string that must be found. */
  async run(expression: string): Promise<void> {
    await this.#call('Runtime.evaluate', { expression });
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  async #call(method: string, params: object = {}): Promise<void> {
    const id = (this.#last += 1);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const listen = ({ data }: MessageEvent) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.id !== id) return;
      this.#socket.removeEventListener('message', listen);
      if (message.error === undefined) resolve(undefined);
      else reject(new Error(`${method}: ${JSON.stringify(message.error)}`));
    };
    this.#socket.addEventListener('message', listen);
    this.#socket.send(JSON.stringify({ id, method, params }));
    await promise;
  }
}
