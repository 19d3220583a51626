import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { CDPSession, Page } from '@playwright/test';

/**
 * Options of tests with passkeys: they belong to the origin of PUBLIC_URL, so that the port has to
 * be known before the server starts.
 */
export const atKnownAddress = {
  environment: async (
    // Playwright reads the first parameter's form.
    // oxlint-disable-next-line no-empty-pattern
    {},
    use: (environment: Record<string, string>) => Promise<void>,
  ) => {
    const port = String(await freePort());
    await use({ PORT: port, PUBLIC_URL: `http://localhost:${port}` });
  },
};

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export type Authenticator = { cdp: CDPSession; id: string };

/** A phone or computer with a screen lock, which its user opens each time. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

/** Whether its user opens the lock when asked. */
export async function setUnlocked(
  { cdp, id }: Authenticator,
  isUserVerified: boolean,
): Promise<void> {
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });
}

/** Records what pages signal to the browser about passkeys; returns a function that reads it. */
export async function recordSignals(page: Page): Promise<() => Promise<unknown[]>> {
  const signals: unknown[] = [];
  await page.exposeFunction('recordSignal', (signal: unknown) => void signals.push(signal));
  await page.addInitScript(() => {
    PublicKeyCredential.signalUnknownCredential = (signal) =>
      (globalThis as unknown as { recordSignal(one: unknown): Promise<void> }).recordSignal(signal);
  });
  return () => Promise.resolve(signals);
}
