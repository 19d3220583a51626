import { createRoot } from 'react-dom/client';
import { App } from '#app/app.tsx';
import { openFirstPage } from '#app/first-page.ts';
import '#ui/tokens.css';

// The first page's module is waited for: a Suspense fallback on the first paint would hold it back by 300 ms.
// Not by a top-level await: that module imports what this one's chunk holds, and the two would wait for each other.
void openFirstPage().then(() => createRoot(document.getElementById('root')!).render(<App />));
