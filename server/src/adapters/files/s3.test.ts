import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { FilesUnavailable } from './files.ts';
import { createS3Files } from './s3.ts';
import { describeFileStore } from './store.contract.ts';

type Stored = { bytes: Buffer; contentType: string | undefined };

/** A minimal S3 server: objects of one bucket by PUT, GET and DELETE, and XML errors. */
class Storage {
  readonly objects = new Map<string, Stored>();
  readonly authorizations: string[] = [];
  isDown = false;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', 'http://storage').pathname;
    const bytes = await bodyOf(request);
    this.authorizations.push(request.headers.authorization ?? '');
    if (this.isDown) fault(response, 503, 'SlowDown');
    else if (!path.startsWith('/photos/')) fault(response, 404, 'NoSuchBucket');
    else if (request.method === 'PUT') {
      this.objects.set(path, { bytes, contentType: request.headers['content-type'] });
      response.writeHead(200, { etag: '"x"' }).end();
    } else if (request.method === 'DELETE') {
      this.objects.delete(path);
      response.writeHead(204).end();
    } else this.#show(response, this.objects.get(path));
  }

  #show(response: ServerResponse, stored: Stored | undefined): void {
    if (stored === undefined) fault(response, 404, 'NoSuchKey');
    else response.writeHead(200, { 'content-type': stored.contentType }).end(stored.bytes);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function fault(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}

const settings = (endpoint: string) => ({
  bucket: 'photos',
  prefix: 'gatehouse/live',
  region: 'us-east-1',
  endpoint,
  accessKeyId: 'key-of-a-test',
  secretAccessKey: 'secret-of-a-test',
});

describeFileStore('S3', async () => {
  const storage = new Storage();
  const endpoint = await storage.open();
  return {
    files: await createS3Files(settings(endpoint)),
    another: () => createS3Files(settings(endpoint)),
    async whileDown(work) {
      storage.isDown = true;
      // Between two tries the SDK waits for a random part of its delay.
      const random = vi.spyOn(Math, 'random').mockReturnValue(0);
      await work();
      random.mockRestore();
      storage.isDown = false;
    },
    close: () => storage.close(),
  };
});

test('an object is stored in the bucket under the prefix, with its type, and the call is signed with the key', async () => {
  const storage = new Storage();
  const files = await createS3Files(settings(await storage.open()));
  const key = randomUUID();
  await files.put(key, Buffer.from('bytes'), 'image/webp');
  expect([...storage.objects]).toEqual([
    [`/photos/gatehouse/live/${key}`, { bytes: Buffer.from('bytes'), contentType: 'image/webp' }],
  ]);
  expect(storage.authorizations[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=key-of-a-test\//);
  await storage.close();
});

test('a missing bucket is a fault of the store, not a missing file', async () => {
  const storage = new Storage();
  const files = await createS3Files({ ...settings(await storage.open()), bucket: 'other' });
  await expect(files.get(randomUUID())).rejects.toBeInstanceOf(FilesUnavailable);
  await storage.close();
});

test('a storage that cannot be reached is a fault of the store', async () => {
  const storage = new Storage();
  const endpoint = await storage.open();
  await storage.close();
  const files = await createS3Files(settings(endpoint));
  await expect(files.put(randomUUID(), Buffer.from('x'), 'image/jpeg')).rejects.toBeInstanceOf(
    FilesUnavailable,
  );
});
