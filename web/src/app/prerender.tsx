import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { PrerenderedSession } from '#session/use-session.ts';
import { GateLoading } from '#gate/gate-page.tsx';
import { LinkLoading } from '#features/link-page/link-frame.tsx';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { App } from './app.tsx';
import type { PagePlan } from './before-paint.ts';
import { beginCache } from './first-reads.ts';
import { Frame, TenantFrame } from './frames.tsx';
import { Page, titleOf } from './page.tsx';
import { planOf } from './page-plan.ts';
import { type Place, Router } from './router.tsx';
import { type Route, tenantRoutes, visitorRoutes } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';

/** A page of the route table as HTML. */
export type Prerendered = {
  path: string;
  title: string;
  html: string;
  /**
   * Whether it is the page itself, with its screen, for the app to go on with; else only the frame
   * around it.
   */
  isWhole: boolean;
  /** The files in src whose code it needs first. */
  modules: string[];
  plan: PagePlan;
};

/** A page that is built apart from the portal, which it is not handed over to. */
export type Apart = Pick<Prerendered, 'title' | 'html'>;

/** What each page says where its code does not come (before-paint.ts). */
export const notice: string = renderToStaticMarkup(
  <div id="notice" hidden className="p-4">
    <Alert tone="bad">
      <p>{t('This page could not be loaded. Check your connection and try again.')}</p>
      <Button variant="secondary" className="mt-3">
        {t('Reload')}
      </Button>
    </Alert>
  </div>,
);

/** The page behind a pay link, until it is known what the link is for. */
export const payPage: Apart = linkPage(t('Pay'), false);

/** The page behind a link to sign a document, likewise. */
export const signPage: Apart = linkPage(t('Sign a document'), true);

/** The page of the kept gate pass, until the pass is read. */
export const gatePage: Apart = apart(t('Gate pass'), <GateLoading />);

/** Any session: what the first paint shows is the same for all. */
const someone = {
  token: '',
  tenants: [{ id: '' }],
  currentTenantId: '',
  locationCode: '',
};

/**
 * Every page of the route table, rendered while the module is loaded: no part can be fetched after
 * that.
 */
export const pages: Prerendered[] = await prerenderPages();

function linkPage(title: string, isWide: boolean): Apart {
  return apart(title, <LinkLoading title={title} path={undefined} isWide={isWide} />);
}

function apart(title: string, page: ReactNode): Apart {
  return { title: renderToStaticMarkup(titleOf(title)), html: renderToString(page) };
}

async function prerenderPages(): Promise<Prerendered[]> {
  await SignedIn.load();
  const made: Prerendered[] = [];
  for (const route of visitorRoutes) made.push(await prerender(route, 'visitor'));
  for (const route of tenantRoutes) made.push(await prerender(route, 'tenant'));
  return made;
}

async function prerender(route: Route, side: PagePlan['side']): Promise<Prerendered> {
  const { path, Screen, prerender: isWhole = false } = route;
  const screen = isWhole ? await Screen.load() : undefined;
  const first: Place = { path, search: '', state: undefined, key: '', arrival: 'back' };
  const markup = renderToString(
    <PrerenderedSession value={side === 'tenant' ? someone : null}>
      {isWhole ? <App first={first} /> : <EmptyPage first={first} route={route} side={side} />}
    </PrerenderedSession>,
  );
  // Its timers would hold the build open for a minute.
  beginCache().clear();
  // React puts the title first; it belongs into the head.
  const [, title, html] = /^<title>([^<]*)<\/title>(.*)$/s.exec(markup) ?? [];
  if (title === undefined || html === undefined) throw new Error(`the page ${path} has no title`);
  const modules = [
    ...(screen ? [await fileOf(screen)] : []),
    ...(side === 'tenant' ? ['app/signed-in.tsx'] : []),
  ];
  return { path, title, html, isWhole, modules, plan: planOf(side, screen?.reads) };
}

/** The file in src that a screen was loaded from. */
async function fileOf(screen: object): Promise<string> {
  for (const [file, load] of Object.entries(import.meta.glob('../screens/*.tsx')))
    if ((await load()) === screen) return file.replace('../', '');
  throw new Error('a screen of the route table is not a file of src/screens');
}

type EmptyProps = { first: Place; route: Route; side: PagePlan['side'] };

function EmptyPage({ first, route, side }: EmptyProps): ReactNode {
  const Around = side === 'tenant' ? TenantFrame : Frame;
  return (
    <Router first={first}>
      <Around>
        <Page title={route.title}>{null}</Page>
      </Around>
    </Router>
  );
}
