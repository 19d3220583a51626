import { language } from '@gatehouse/language/language';

/**
 * A link to the page at a path in the other language: the server keeps the choice. It has no
 * address while the path is not known. A function, because a component costs every page more bytes.
 */
export function languageLink(path: string | undefined) {
  const other = language() === 'es' ? 'en' : 'es';
  return (
    <a
      href={path && `/${other}${path}`}
      lang={other}
      target="_self"
      className="inline-flex min-h-12 min-w-11 items-center justify-center underline"
    >
      {language() === 'es' ? 'English' : 'Español'}
    </a>
  );
}
