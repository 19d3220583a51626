import { parentPort, workerData } from 'node:worker_threads';
import type { LeaseImportMessage } from '#app/lease-importer.ts';
import { runOrder, type GivenOrder } from './import-order.ts';

/** The thread of an import in the office: one order, one answer (app/lease-importer.ts). */
const { url, config, order } = workerData as GivenOrder;
const say = (message: LeaseImportMessage) => parentPort!.postMessage(message);

// Buffers come to a thread as plain bytes.
const secret = Buffer.from(config.secret);
const dataKeys = config.dataKeys.map((key) => Buffer.from(key));
const given = { url, config: { ...config, secret, dataKeys }, order };
say(await runOrder(given, (progress) => say({ progress })));
