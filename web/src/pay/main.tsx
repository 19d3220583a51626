import { createRoot } from 'react-dom/client';
import { rootOptions } from '#features/error-page/root-options.tsx';
import { openSession } from '#session/session.ts';
import { PayPage } from './pay-page.tsx';
import { readPayLink } from './use-pay-link.ts';

/**
 * The page behind a pay link, built apart from the portal (vite-prerender.ts): no other page loads
 * a byte of it. The token is the last part of the address.
 */
const token = location.pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';

openSession();
void readPayLink(token).then((first) => {
  const root = createRoot(document.getElementById('root')!, rootOptions());
  root.render(<PayPage token={token} first={first} />);
  globalThis.early?.begun();
});
