import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { brandPage } from './vite-brand.ts';
import { precompress } from './vite-precompress.ts';

/**
 * Few files, because few requests go out at once and one file compresses better than five: what every page needs first,
 * and what every signed-in page needs beside it. Screens and dialogs stay apart.
 */
const chunks = [
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|zod)\/|contract\/src\/(endpoint|facilities|ids|states)|src\/(session|app\/(app|error|first-page|footer|frames|lazy-part|page|route|scroll|signed-in-part))|src\/api\/call|src\/brand|src\/ui\/(alert|button|field|icons|spinner)|preload-helper/,
    priority: 2,
  },
  {
    name: 'tenant',
    test: /node_modules\/(@reduxjs|@standard-schema|immer|react-redux|redux|redux-thunk|reselect|use-sync-external-store)\/|contract\/src\/|src\/api\/|src\/ui\/(card|chip|copy-button|dialog|disclosure|facts|skeleton)/,
    priority: 1,
  },
];

export default defineConfig({
  plugins: [react(), tailwindcss(), brandPage(), precompress()],
  define: { __CORPORATION_CODE__: JSON.stringify(process.env['CORPORATION_CODE'] ?? 'ANCHOR') },
  build: {
    target: 'es2022',
    manifest: true,
    sourcemap: false,
    // Every browser we serve has modulepreload, and inlined assets would need `data:` in the page policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      // Endpoints are plain values: those that a page does not call stay out of it.
      treeshake: { manualPureFunctions: ['endpoint'], propertyReadSideEffects: false },
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] || '3000'}` } },
});
