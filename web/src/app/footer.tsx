import { language } from '@gatehouse/language/language';
import { brand } from '#brand/brand.ts';
import { usePlace } from './router.tsx';
import { useInBrowser } from './use-in-browser.ts';

export function Footer() {
  const { path } = usePlace();
  // The prerendered page has no year: it may be served for longer than one. Its place is kept.
  const year = useInBrowser(thisYear, '');
  return (
    <footer className="px-4 pt-2 pb-1 text-center text-13 text-muted sm:p-6">
      ©{' '}
      <span data-year className="inline-block min-w-[4ch]">
        {year}
      </span>
      {` ${brand.name} · `}
      {/* To the server, which keeps the choice and answers with the page in that language. */}
      <a
        href={`/${other}${path}`}
        lang={other}
        target="_self"
        className="-mt-6 inline-flex min-h-11 min-w-11 items-end justify-center underline"
      >
        {language() === 'es' ? 'English' : 'Español'}
      </a>
    </footer>
  );
}

/** The other language than the page's. */
const other = language() === 'es' ? 'en' : 'es';

const thisYear = () => String(new Date().getFullYear());
