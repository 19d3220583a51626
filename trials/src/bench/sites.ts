import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { browserArgs, findBrowser } from '../../../scripts/browser.mjs';
import { ensureWebBuilt } from '../../../scripts/web.mjs';
import { serveFloor } from './floor.ts';
import { startDemo } from './servers.ts';
import { sessionOf } from './session.ts';
import { shape, type Link } from './shaper.ts';

/** The portal and the floor behind the same link, a session of the demo tenant, and a browser. */
export type Sites = { portal: string; floor: string; session: string; browser: Browser };

/** Starts them for `measure`, and ends them whatever comes of it. */
export async function withSites(
  link: Link,
  measure: (sites: Sites) => Promise<void>,
): Promise<void> {
  await ensureWebBuilt();
  await using closers = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  closers.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startDemo(dataDir);
  closers.defer(() => server.stop());
  const port = Number(new URL(server.address).port);
  const floor = await serveFloor(port);
  closers.defer(() => floor.close());
  const { executablePath } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  closers.defer(() => browser.close());

  async function shaped(served: number): Promise<string> {
    const relay = await shape(served, link);
    closers.defer(() => relay.close());
    return `http://127.0.0.1:${relay.port}`;
  }
  await measure({
    portal: await shaped(port),
    floor: await shaped(floor.port),
    session: await sessionOf(server.address),
    browser,
  });
}
