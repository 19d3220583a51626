import { createRoot } from 'react-dom/client';
import { rootOptions } from '#features/error-page/root-options.tsx';
import { openSession } from '#session/session.ts';
import { SignPage } from './sign-page.tsx';
import { openSigning } from './use-signing.ts';

/**
 * The page behind a link to sign a document, built apart from the portal (vite-prerender.ts): no
 * other page loads a byte of it. The last part of the address is the token of the link, or the id
 * of a document for the tenant who is signed in.
 */
const last = location.pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';

openSession();
void openSigning(last).then((first) => {
  if (first === null) {
    location.replace('/login');
    return;
  }
  createRoot(document.getElementById('root')!, rootOptions()).render(<SignPage first={first} />);
  globalThis.early?.begun();
});
