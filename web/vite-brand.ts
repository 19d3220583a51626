import { readFileSync } from 'node:fs';
import { folderOf } from '@gatehouse/language/folder';
import type { Language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { brand } from './src/brand/brand.ts';
import { BrandMark } from './src/brand/mark.tsx';

/** The icons of the home screen (scripts/icons.mjs makes them). */
const icons = ['icon-180.png', 'icon-512.png'];

/** What puts the portal on a phone's home screen; tenants' pages name it (vite-prerender.ts). */
const manifestIn = (lang: Language) => ({
  lang,
  name: brand.name,
  short_name: brand.shortName,
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: brand.themeColor.light,
  theme_color: brand.themeColor.light,
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    { src: '/icon-180.png', sizes: '180x180', type: 'image/png' },
  ],
});

/**
 * Puts the operator's name, theme colours and icons into the page and the manifest, so that
 * src/brand is the one place that has them, and the page's own texts.
 */
export function brandPage(language: Language): Plugin {
  return {
    name: 'brand-page',
    transformIndexHtml: () => [
      {
        tag: 'title',
        children: brand.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
        injectTo: 'head',
      },
      ...Object.entries(brand.themeColor).map(([scheme, content]) => ({
        tag: 'meta',
        attrs: { name: 'theme-color', content, media: `(prefers-color-scheme: ${scheme})` },
        injectTo: 'head' as const,
      })),
      {
        tag: 'meta',
        attrs: {
          name: 'description',
          content: t('Manage your storage rentals: balance, payments, autopay and gate access.'),
        },
        injectTo: 'head' as const,
      },
      {
        tag: 'noscript',
        attrs: { class: 'block px-4 py-3' },
        children: t(
          'This site needs JavaScript to sign you in. Please turn it on, or call your facility.',
        ),
        injectTo: 'body-prepend' as const,
      },
      {
        tag: 'link',
        attrs: { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
        injectTo: 'head',
      },
    ],
    configureServer({ middlewares }) {
      middlewares.use('/icon.svg', (_request, response) => {
        response.setHeader('content-type', 'image/svg+xml');
        response.end(icon());
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'icon.svg', source: icon() });
      this.emitFile({
        type: 'asset',
        fileName: `${folderOf(language)}portal.webmanifest`,
        source: JSON.stringify(manifestIn(language)),
      });
      for (const name of icons)
        this.emitFile({
          type: 'asset',
          fileName: name,
          source: readFileSync(new URL(`src/brand/${name}`, import.meta.url)),
        });
    },
  };
}

/**
 * The mark as a file of its own, in the light colours: an icon has no style sheet to read them
 * from.
 */
function icon(): string {
  const [light = ''] = readFileSync(new URL('src/brand/brand.css', import.meta.url), 'utf8').split(
    '@media',
  );
  return renderToStaticMarkup(createElement(BrandMark, { className: '' })).replace(
    /var\((--[\w-]+)\)/g,
    (_, name) => {
      const colour = new RegExp(`${name}: ([^;]+);`).exec(light)?.[1];
      if (colour === undefined)
        throw new Error(`brand.css has no ${name}, which the mark is drawn in`);
      return colour;
    },
  );
}
