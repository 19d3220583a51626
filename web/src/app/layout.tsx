import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';
import { type ReactNode, useEffect, useState } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { brand } from '#brand/brand.ts';
import { BrandMark } from '#brand/mark.tsx';
import { isLanguageAsked } from '#session/language-question.ts';
import { useSession } from '#session/use-session.ts';
import { Icon } from '#ui/icons.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Footer } from './footer.tsx';
import { Menu } from './menu.tsx';
import { usePlace } from './router.tsx';
import { useInBrowser } from './use-in-browser.ts';

const keepLanguage = lazyPart(() => import('#features/session/keep-language.tsx'));
const recordSwitcher = lazyPart(() => import('#features/tenants/record-switcher.tsx'));

/** What is around every signed-in screen: top bar, menu, centred content, footer. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute top-2 left-2 z-30 -translate-y-24 rounded-control bg-brand px-4 py-3 font-medium text-brand-ink focus:translate-y-0"
      >
        {t('Skip to content')}
      </a>
      <header className="@container sticky top-0 z-20 border-b border-line bg-raised lg:-top-15">
        <div className="mx-auto flex max-w-5xl items-center gap-x-2 px-4 max-xs:gap-x-0 lg:flex-wrap lg:pt-3">
          {/* With large text on a phone it makes room: the menu leads home too. */}
          <a
            href="/"
            className="mr-auto @max-[15rem]:invisible flex min-h-12 min-w-0 items-center gap-3 text-17 font-semibold max-sm:text-15 max-xs:gap-2"
          >
            <BrandMark />
            <span className="truncate sm:hidden">{brand.shortName}</span>
            <span className="truncate max-sm:hidden">{brand.name}</span>
          </a>
          <FacilityPhone />
          <Menu />
        </div>
      </header>
      <Records />
      <LanguageQuestion />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-5xl flex-1 px-4 pt-4 sm:pt-6">
        {children}
      </main>
      <Footer />
    </div>
  );
}

/**
 * Dials the facility once its phone is known. Where there is no room the icon is by itself, with
 * its name kept.
 */
function FacilityPhone() {
  const { data: facility } = useGetFacilityQuery();
  if (!facility?.phone) return null;
  return (
    <a
      href={phoneHref(facility.phone)}
      className="inline-flex min-h-12 min-w-12 items-center justify-center gap-2 rounded-control px-3 lg:-mr-3 font-medium text-brand hover:bg-brand-soft"
    >
      <Icon name="phone" />
      <span className="max-xs:sr-only">
        <span className="sr-only">{t('Call the facility: ')}</span>
        <span className="whitespace-nowrap">{formatPhone(facility.phone)}</span>
      </span>
    </a>
  );
}

/**
 * Several tenant records, one of them in view, on a line that has room from the first paint
 * (`several-records`, before-paint.ts).
 */
function Records() {
  const session = useSession();
  // The HTML of the page was rendered without it.
  const isHydrated = useInBrowser(() => true, false);
  const hasSeveral = session !== null && session.tenants.length > 1;
  useEffect(() => {
    document.documentElement.classList.toggle('several-records', hasSeveral);
  }, [hasSeveral]);
  return (
    <section
      id="record"
      aria-label={t('Record in view')}
      className="hidden min-h-11 border-b border-line bg-raised"
    >
      <div className="@container mx-auto max-w-5xl px-4">
        {isHydrated && hasSeveral && (
          <LazyContent part={recordSwitcher} props={{ session }} isQuiet />
        )}
      </div>
    </section>
  );
}

/** Asked after a sign-in until it is answered. */
function LanguageQuestion() {
  const { path } = usePlace();
  const [isAsked] = useState(isLanguageAsked);
  return isAsked && <LazyContent part={keepLanguage} props={{ path }} isQuiet />;
}
