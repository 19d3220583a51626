import { folderOf } from '@gatehouse/language/folder';
import { type Language, setLanguageSource } from '@gatehouse/language/language';
import { inLanguage } from '@gatehouse/language/vite-language';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { brandPage } from './vite-brand.ts';
import { plainImports } from './vite-imports.ts';
import { phonesAsTyped } from './vite-phones.ts';
import { precompress } from './vite-precompress.ts';
import { prerenderedPages } from './vite-prerender.ts';

/**
 * Few files, because few requests go out at once and one file compresses better than five: what
 * every page needs first, and what every signed-in page needs besides it. Screens and dialogs stay
 * apart. Each is what its test names and nothing that this imports.
 */
const chunks = [
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|zod)\/|language\/src\/|contract\/src\/(account-language|calendar-date|device-token|endpoint|facilities|ids|money|refusal|sign-in|states|text\.ts|typed|user-params)|src\/(session\/(?!private-moment)|api\/(call|early|sent-payment|server-time)|features\/error-page|app\/(app|error|first-page|footer|frames|page|route|scroll|signed-in-part|start|use-in-browser|when-idle))|src\/brand|src\/ui\/(alert|button|horizon|href-of-click|icons|language-link|lazy-part|spinner|way-back)|preload-helper/,
    priority: 6,
  },
  {
    // What the visitors' forms share.
    name: 'fields',
    test: /src\/(ui\/(field|password-field)|features\/(facilities\/location|registration\/use-checked))/,
    priority: 2,
  },
  {
    name: 'tenant',
    test: /node_modules\/@tanstack\/|contract\/src\/(?!answer-fields|autopay-changes|calendar-|entry-names|text|images|insurance-plans|maintenance|mandate|move-out|papers|passkeys|payment-methods|payment-preview|payments|registration|reminders|sessions|tracked-requests|vehicle)|src\/api\/(?!ask-|autopay-changes|by-passkey|calendar-feed|charges|forget-passkey|idempotency-key|insurance-plans|papers|passkeys|payments|photo|reminders|requester|requests|tenant-changes|upload|use-submit|vehicle)|src\/session\/private-moment|src\/app\/(first-reads|idle(?!-warning)|layout|menu|signed-in)|src\/features\/(autopay\/next-charge|gate-access\/(access-state|hidden-code)|payments\/asked|unit-contents\/contents-action|tenants\/drivers-license-dialog)|src\/ui\/(card|chip|copy-button|dialog-|disclosure|facts|lazy-|lit|load|skeleton)/,
    priority: 1,
  },
  {
    name: 'dialogs',
    test: /src\/(ui\/(dialog\.tsx|use-typed|empty-state|form-dialog|table|save-file|trusted-script)|app\/idle-warning|api\/(autopay-changes|charges|papers|payments)|features\/(autopay\/stop-autopay-form|charges\/charges-view|facilities\/no-rentals|gate-access\/(keep-pass|kept-pass|offline-page|pass-store)|payments\/(last-receipt|paper-button|pay-dialog)))|contract\/src\/(autopay-changes|entry-names|papers|payment-preview|payments)/,
    priority: 0,
  },
  {
    // Small files, because each is a hash in the HTML of every page.
    name: 'forms',
    test: /contract\/src\/(answer-fields|images|tracked-requests)|src\/(api\/(idempotency-key|photo|requester|requests|tenant-changes|upload|use-submit)|ui\/(reference|use-checked-file)|features\/(tenants\/(state-options|record-strip|use-record-titles)|esign\/resend-form|gate-access\/gate-request-(action|open)))/,
    priority: 0,
  },
  {
    name: 'small-forms',
    test: /src\/features\/(gate-access\/gate-request-form|insurance\/plan-change-open|session\/.*form|requests\/answer-form|tenants\/(contact\.ts|.*-form)|unit-contents\/(file-field|paper-|remove-))/,
    priority: 0,
  },
  {
    name: 'unit',
    test: /src\/features\/(insurance\/(insurance-flow|insurance-form|private-insurance-fields|insurance-done)|unit-contents\/(contents-f|vehicle-))/,
    priority: 0,
  },
  {
    // What a payment needs besides its form.
    name: 'paying',
    test: /src\/features\/payments\/(new-method-fields|other-amount-fields|paid-note|payment-outcome)/,
    priority: 0,
  },
  {
    // What a sign-in by passkey, and a kept session's confirmation, load when they are asked for.
    name: 'passkeys',
    test: /node_modules\/@simplewebauthn|contract\/src\/passkeys|src\/api\/(ask-authenticator|by-passkey)/,
    priority: 5,
  },
  {
    name: 'forms-library',
    test: /node_modules\/(@hookform|@standard-schema|react-hook-form)\/|src\/ui\/(choice-field|text-area)/,
    priority: 1,
  },
  {
    // Three small screens and the parts that they share, for the same reason.
    name: 'account',
    test: /contract\/src\/(account-language|sessions)|src\/(api\/(forget-passkey|passkeys)|screens\/(account|profile|schedule-move-out)|features\/(session|requests|tenants)\/.*(card|record-names|unit-selector)|ui\/use-said)|calendar-feed|reminders(\.ts|-card)|text-messages|vehicle-papers\.ts|unit-contents\/papers-card/,
    priority: 0,
  },
];

/** One build has the texts of one language (scripts/web.mjs). */
const language: Language = process.env['PORTAL_LANGUAGE'] === 'es' ? 'es' : 'en';
setLanguageSource(() => language);

export default defineConfig({
  plugins: [
    inLanguage(language),
    plainImports(),
    phonesAsTyped(),
    react(),
    tailwindcss(),
    brandPage(language),
    prerenderedPages(language),
    precompress(),
  ],
  define: {
    __CORPORATION_CODE__: JSON.stringify(process.env['CORPORATION_CODE'] ?? 'ANCHOR'),
    // What of the Sentry SDK has no use here: the worker comes from a blob, which the page policy
    // refuses.
    __SENTRY_EXCLUDE_REPLAY_WORKER__: true,
    __SENTRY_DEBUG__: false,
    __RRWEB_EXCLUDE_IFRAME__: true,
    __RRWEB_EXCLUDE_SHADOW_DOM__: true,
  },
  build: {
    target: 'es2022',
    // What Tailwind 4 needs: these know oklch, which would be written three times otherwise.
    cssTarget: ['chrome111', 'safari16.4', 'firefox128'],
    manifest: `.vite/${folderOf(language)}manifest.json`,
    // The languages are built into one folder, English first.
    emptyOutDir: language === 'en',
    sourcemap: false,
    // What lazy parts import comes with the screens that are fetched ahead: lists of it would only
    // add to the first load.
    modulePreload: false,
    // Inlined assets would need `data:` in the page policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      // Prerendering and compressing are most of a build.
      checks: { bundlerTimings: false },
      // Endpoints and shapes are plain values: those that a page does not call stay out of it.
      treeshake: {
        manualPureFunctions: [
          'z',
          'endpoint',
          'requiredText',
          'optionalText',
          'emailAddress',
          'stateCode',
          'requiredMessage',
          'tooLongMessage',
        ],
        propertyReadSideEffects: false,
      },
      output: {
        // Every page names every file, and a name's hash does not compress.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        codeSplitting: { groups: chunks, includeDependenciesRecursively: false },
      },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] || '3000'}` } },
});
