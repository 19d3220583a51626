import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { brand } from '#brand/brand.ts';
import { BrandMark } from '#brand/mark.tsx';
import { cardClass } from '#ui/card.tsx';
import { Horizon } from '#ui/horizon.tsx';
import { languageLink } from '#ui/language-link.tsx';
import { Spinner } from '#ui/spinner.tsx';

type LinkFrameProps = {
  /** Missing in the prerendered page: it has the token of the link. */
  path: string | undefined;
  /** For what is read, not filled in. */
  isWide?: boolean;
  children: ReactNode;
};

/** What is around the states of a page behind a link in a mail. */
export function LinkFrame({ path, isWide = false, children }: LinkFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex flex-col items-center gap-3 px-4 pt-6 sm:pt-10">
        <p className="flex items-center gap-3 text-17 font-semibold">
          <BrandMark />
          <span>{brand.name}</span>
        </p>
        <Horizon />
      </header>
      <main id="main" className={`mx-auto w-full ${isWide ? 'max-w-2xl' : 'max-w-md'} flex-1 px-4`}>
        <section className={cardClass}>{children}</section>
      </main>
      <footer className="px-4 py-1 text-center text-muted sm:p-6">
        <span>{`© ${brand.name} `}</span>
        <span aria-hidden="true" className="max-sm:invisible">
          {'· '}
        </span>
        {languageLink(path)}
      </footer>
    </div>
  );
}

/** The page until it is known what the link is for: as the build puts it into the HTML. */
export function LinkLoading({
  title,
  ...frame
}: Omit<LinkFrameProps, 'children'> & { title: string }) {
  return (
    <LinkFrame {...frame}>
      <h1 className="text-24 font-semibold">{title}</h1>
      <div className="mt-4">
        <Spinner label={t('Loading…')} />
      </div>
    </LinkFrame>
  );
}
