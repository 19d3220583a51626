import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { browserArgs, findBrowser } from '../../../scripts/browser.mjs';
import { ensureWebBuilt } from '../../../scripts/web.mjs';
import { serveFloor } from './floor.ts';
import { startDemo, type Server } from './servers.ts';
import { sessionOf } from './session.ts';
import { shape, type Link } from './shaper.ts';

/** The portal with the demo world, and the floor over its API. */
export type LocalSites = { server: Server; portal: string; floor: string; session: string };

/**
 * The portal and the floor behind the same link, peers behind it too, a session of the demo tenant
 * in the portal, and a browser. `server` is the portal's, without the link.
 */
export type Sites = {
  portal: string;
  floor: string;
  peers: Record<string, string>;
  session: string;
  server: Server;
  browser: Browser;
};

/** Starts them for `measure`, and ends them in any case. `peers` are addresses. */
export async function withSites(
  link: Link,
  measure: (sites: Sites) => Promise<void>,
  peers: string[] = [],
): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const { server, portal, floor, session } = await startSites(closers);
  const { executablePath } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  closers.defer(() => browser.close());

  async function shaped(address: string): Promise<string> {
    const { hostname, port } = new URL(address);
    const relay = await shape(Number(port || 80), link, hostname);
    closers.defer(() => relay.close());
    return `http://127.0.0.1:${relay.port}`;
  }
  const behind: Record<string, string> = {};
  for (const peer of peers) behind[peer] = await shaped(peer);
  await measure({
    portal: await shaped(portal),
    floor: await shaped(floor),
    peers: behind,
    session,
    server,
    browser,
  });
}

/** Starts the portal and the floor without a link in between, until `closers` are disposed. */
export async function startSites(closers: AsyncDisposableStack): Promise<LocalSites> {
  await ensureWebBuilt();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  closers.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startDemo(dataDir);
  closers.defer(() => server.stop());
  const floor = await serveFloor(Number(new URL(server.address).port));
  closers.defer(() => floor.close());
  return {
    server,
    portal: server.address,
    floor: `http://127.0.0.1:${floor.port}`,
    session: await sessionOf(server.address),
  };
}
