import { createRoot } from 'react-dom/client';
import { rootOptions } from '#features/error-page/root-options.tsx';
import { readPasses } from '#features/gate-access/pass-store.ts';
import { GatePage } from './gate-page.tsx';

/**
 * The page that the service worker opens without a connection, built apart from the portal
 * (vite-prerender.ts): it calls no server, and reads nothing but the gate passes that are kept on
 * this phone.
 */
void readPasses(Date.now()).then((passes) => {
  createRoot(document.getElementById('root')!, rootOptions()).render(<GatePage passes={passes} />);
  globalThis.early?.begun();
});
