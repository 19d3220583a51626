import { inLanguage } from '@gatehouse/language/vite-language';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { brand } from '../web/src/brand/brand.ts';
import { precompress } from '../web/vite-precompress.ts';

const title = `${brand.shortName} office`.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export default defineConfig({
  base: '/office/',
  plugins: [
    // Of the contract's texts.
    inLanguage('en'),
    react(),
    {
      name: 'office-title',
      transformIndexHtml: () => [{ tag: 'title', children: title, injectTo: 'head' }],
    },
    precompress(),
  ],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] || '3000'}` } },
});
