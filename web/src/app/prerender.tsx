import { renderToString } from 'react-dom/server';
import { clearSession, setUser } from '#session/session.ts';
import { App } from './app.tsx';
import { earlyCalls, type PagePlan } from './early-calls.ts';
import { Frame, TenantFrame } from './frames.tsx';
import { Page } from './page.tsx';
import { Router } from './router.tsx';
import { routeOf, tenantRoutes, visitorRoutes } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';

/** A page of the route table as HTML. */
export type Prerendered = {
  path: string;
  title: string;
  html: string;
  /** Whether it is the page itself, with its screen, for the app to go on with; else only the frame around it. */
  isWhole: boolean;
  /** The files in src whose code it needs first. */
  modules: string[];
  plan: PagePlan;
};

/**
 * The screens that are in their HTML as they first paint: what they show before any data may depend on nothing but
 * there being a session. Of all others the HTML has the frame.
 */
const whole: Record<string, string> = {
  '/login': 'screens/login.tsx',
  '/': 'screens/my-units.tsx',
  '/billing-info': 'screens/billing-info.tsx',
  '/payment-history': 'screens/payment-history.tsx',
};

/** Any session: what the first paint shows is the same for all. */
const someone = { token: 'none', tenants: [{ id: '00000000-0000-4000-8000-000000000000' }], locationCode: 'none' };

/**
 * Every page of the route table. Run by the build, which stands in for the browser's globals; rendered while the module
 * is loaded, because no part can be fetched after that.
 */
export const pages: Prerendered[] = await prerenderPages();

async function prerenderPages(): Promise<Prerendered[]> {
  await SignedIn.load();
  const made: Prerendered[] = [];
  clearSession();
  for (const { path } of visitorRoutes) made.push(await prerender(path, 'visitor'));
  setUser(someone);
  for (const { path } of tenantRoutes) made.push(await prerender(path, 'tenant'));
  return made;
}

async function prerender(path: string, side: PagePlan['side']): Promise<Prerendered> {
  const screen = whole[path];
  location.pathname = path;
  if (screen) await routeOf(path)!.Screen.load();
  const markup = renderToString(screen ? <App /> : <EmptyPage path={path} side={side} />);
  // React puts the title first; it belongs into the head.
  const [, title, html] = /^<title>([^<]*)<\/title>(.*)$/s.exec(markup) ?? [];
  if (title === undefined || html === undefined) throw new Error(`the page ${path} has no title`);
  const modules = [...(screen ? [screen] : []), ...(side === 'tenant' ? ['app/signed-in.tsx'] : [])];
  return { path, title, html, isWhole: screen !== undefined, modules, plan: { side, calls: earlyCalls[path] ?? [] } };
}

function EmptyPage({ path, side }: { path: string; side: PagePlan['side'] }) {
  const Around = side === 'tenant' ? TenantFrame : Frame;
  return (
    <Router>
      <Around>
        <Page title={routeOf(path)!.title}>{null}</Page>
      </Around>
    </Router>
  );
}
