import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from '#app/app.tsx';
import { holdErrors, reportErrorsWhenIdle } from '#app/error-reporting.ts';
import { openFirstPage } from '#app/first-page.ts';
import '#ui/tokens.css';
import '#ui/print.css';

holdErrors();

// The first page's module is waited for: a Suspense fallback on the first paint would hold it back
// by 300 ms. Not by a top-level await: that module imports what this one's chunk holds, and the two
// would wait for each other.
void openFirstPage().then(({ path, isAnswered }) => {
  const root = document.getElementById('root')!;
  const isInUse = root.contains(document.activeElement) || Boolean(globalThis.early?.pressed);
  // The HTML has that very screen: it is gone on with, and what was typed into it stays. But with
  // its data here most of it would be replaced at once: unless the visitor is in it already, it is
  // rendered from scratch, in half the time.
  if (root.dataset['screen'] === path && (isInUse || !isAnswered)) hydrateRoot(root, <App />);
  else createRoot(root).render(<App />);
  delete root.dataset['screen'];
  reportErrorsWhenIdle();
  globalThis.early?.pressed?.click();
});
