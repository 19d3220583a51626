import { createServer } from 'node:http';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';

/**
 * The floor of a start: the PostgreSQL of a data folder, and a server of node:http that answers
 * once that is there. Its arguments are the folder and the port.
 */
const [dataDir, port] = process.argv.slice(2) as [string, string];
const embedded = await startEmbedded({ dataDir, log: () => {} });
const server = createServer((_request, answer) => answer.end());
server.listen(Number(port), '127.0.0.1');
process.once('SIGINT', () => {
  server.close();
  void embedded.stop().then(() => process.exit(0));
});
