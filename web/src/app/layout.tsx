import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import type { ReactNode } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { brand } from '#brand/brand.ts';
import { BrandMark } from '#brand/mark.tsx';
import { Icon } from '#ui/icons.tsx';
import { Footer } from './footer.tsx';
import { Menu } from './menu.tsx';

/** What stands around every signed-in screen (spec section 2): top bar, menu, centred content, footer. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute top-2 left-2 z-30 -translate-y-24 rounded-control bg-brand px-4 py-3 font-medium text-brand-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="relative z-20 border-b border-line bg-raised">
        <div className="mx-auto flex max-w-5xl items-center gap-x-2 px-4 max-xs:gap-x-0 lg:flex-wrap lg:pt-3">
          <a
            href="/"
            className="mr-auto flex min-h-12 min-w-0 items-center gap-3 py-2 text-17 font-semibold max-sm:text-15 max-xs:gap-2"
          >
            <BrandMark />
            <span className="truncate sm:hidden">{brand.shortName}</span>
            <span className="truncate max-sm:hidden">{brand.name}</span>
          </a>
          <FacilityPhone />
          <Menu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-5xl flex-1 px-4 pt-6 sm:pt-8">
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** Dials the facility once its phone is known. Where there is no room the icon stands alone, with its name kept. */
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
        <span className="sr-only">Call the facility: </span>
        <span className="whitespace-nowrap tabular-nums">{formatPhone(facility.phone)}</span>
      </span>
    </a>
  );
}
