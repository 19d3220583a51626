import { trustedScript } from '#ui/trusted-script.ts';

/**
 * The service worker that opens the kept gate pass without a connection (gate/service-worker.ts),
 * there only while this phone keeps a pass.
 */

/** The name that the page's header allows (server/src/http/headers.ts). */
const POLICY = 'service-worker';

/**
 * Installs it, or looks for a new version and stores what the browser has cleared; resolves when it
 * can open the pass. Rejects where its files could not be stored.
 */
export async function installOfflinePage(): Promise<void> {
  const registration = await navigator.serviceWorker.register(trustedScript(POLICY, '/sw.js'), {
    updateViaCache: 'none',
  });
  const { active, installing } = registration;
  active?.postMessage('store');
  if (active !== null || installing === null) return;
  await new Promise<void>((resolve, reject) => {
    installing.onstatechange = () => {
      if (installing.state === 'redundant') reject(new Error('it could not be installed'));
      if (installing.state === 'activated') resolve();
    };
  });
}

/** Removes it with all that it has stored. */
export async function removeOfflinePage(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  await registration?.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
