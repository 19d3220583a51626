import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port below the ephemeral range, so that no outgoing connection takes it while its server is
 * down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
