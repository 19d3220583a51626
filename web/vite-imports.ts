import type { Plugin } from 'vite';

/**
 * Imports lazy parts plainly. Vite wraps each import in 2 kB of code that preloads style sheets and
 * scripts; the HTML's own script loads the one style sheet, and `modulePreload` is off.
 */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load();',
    },
  };
}
