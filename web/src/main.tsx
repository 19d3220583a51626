import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from '#app/app.tsx';
import { holdErrors, reportErrorsWhenIdle } from '#app/error-reporting.ts';
import { openFirstPage } from '#app/first-page.ts';
import '#ui/tokens.css';

holdErrors();

// The first page's module is waited for: a Suspense fallback on the first paint would hold it back by 300 ms.
// Not by a top-level await: that module imports what this one's chunk holds, and the two would wait for each other.
void openFirstPage().then((path) => {
  const root = document.getElementById('root')!;
  // The HTML has that very screen: it is gone on with, and what was typed into it stays.
  if (root.dataset['screen'] === path) hydrateRoot(root, <App />);
  else createRoot(root).render(<App />);
  delete root.dataset['screen'];
  reportErrorsWhenIdle();
  globalThis.early?.pressed?.click();
});
