import { createRoot, type RootOptions } from 'react-dom/client';
import { ErrorPage, faultOf } from './error-page.tsx';

/**
 * What no error boundary caught ends in the error page, in place of all that was there: React may
 * be unable to take that away, because a translation or an extension has changed it.
 */
export function rootOptions(report?: (error: unknown) => void): RootOptions {
  return {
    onUncaughtError(error) {
      report?.(error);
      const root = document.getElementById('root');
      // An earlier error has replaced it.
      if (root === null) return;
      const place = document.createElement('main');
      root.replaceWith(place);
      createRoot(place).render(<ErrorPage {...faultOf(error)} />);
    },
  };
}
