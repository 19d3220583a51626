import { serverNow } from '#api/server-time.ts';
import { brand } from '#brand/brand.ts';
import { languageLink } from '#ui/language-link.tsx';
import { usePlace } from './router.tsx';
import { useInBrowser } from './use-in-browser.ts';

export function Footer() {
  const { path } = usePlace();
  // The prerendered page has no year: it may be served for longer than one. Its place is kept.
  const year = useInBrowser(thisYear, '');
  return (
    <footer className="px-4 pt-3 text-center text-muted sm:p-6">
      <span>© </span>
      <span className="inline-block min-w-[4ch]">{year}</span>
      <span>{` ${brand.name} `}</span>
      {/* On a phone the link may begin the second line. */}
      <span aria-hidden="true" className="max-sm:invisible">
        {'· '}
      </span>
      {languageLink(path)}
    </footer>
  );
}

const thisYear = () => String(serverNow().getFullYear());
