import { type ReactNode, Suspense, useEffect } from 'react';
import { getSessionEnd } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';
import { wantedPage } from '#session/wanted-page.ts';
import { brand } from '#brand/brand.ts';
import { BrandMark } from '#brand/mark.tsx';
import type { LazyPart } from '#ui/lazy-part.tsx';
import { Horizon } from '#ui/horizon.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { beginPage } from './first-page.ts';
import { Footer } from './footer.tsx';
import { goTo, Redirect, usePlace } from './router.tsx';
import { routeOf, tenantRoutes, visitorRoutes } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';
import { whenIdle } from './when-idle.ts';

type FrameProps = { children: ReactNode };

/** Guards the visitors' routes: a signed-in visitor goes to the page they wanted, or to `/`. */
export function VisitorFrame({ children }: FrameProps) {
  const session = useSession();
  const { state } = usePlace();
  const wanted = wantedPage(state);
  const next = routeOf(wanted.split(/[?#]/)[0]!);

  useEffect(() => fetchWhenIdle([SignedIn, ...(next ? [next.Screen] : [])]), [next]);
  // Not <Redirect>: the sign-in page stays in sight until the next one is ready. What that reads is
  // under way before it is rendered; code that does not come is its error page's.
  useEffect(() => {
    const go = () => goTo(wanted, { replace: true });
    if (session !== null) void beginPage(next).then(go, go);
  }, [session, wanted, next]);
  return <Frame>{children}</Frame>;
}

/**
 * Guards the tenants' routes: a signed-out visitor goes to `/login`, with the wanted page in the
 * router's state.
 */
export function TenantFrame({ children }: FrameProps) {
  const session = useSession();
  const { key, path, search } = usePlace();

  useEffect(
    () => fetchWhenIdle([...tenantRoutes, ...visitorRoutes].map(({ Screen }) => Screen)),
    [],
  );
  if (session === null) {
    const left = getSessionEnd() === 'logout';
    return <Redirect to="/login" state={left ? undefined : path + search + location.hash} />;
  }
  return (
    <ErrorBoundary resetKey={key}>
      <Suspense fallback={null}>
        {/* A new token is a new visitor: store and cache start empty. */}
        <SignedIn key={session.token}>{children}</SignedIn>
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * The frame of an unknown path: the tenant's with a session, also with one that ends here, else the
 * visitor's.
 */
export function EitherFrame({ children }: FrameProps) {
  const isVisitor = useSession() === null && getSessionEnd() === null;
  return isVisitor ? <Frame>{children}</Frame> : <TenantFrame>{children}</TenantFrame>;
}

/** What is around every visitor's screen: brand, centred column, footer. */
export function Frame({ children }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex flex-col items-center gap-3 px-4 pt-6 sm:pt-10">
        <p className="flex items-center gap-3 text-17 font-semibold">
          <BrandMark />
          <span>{brand.name}</span>
        </p>
        <Horizon />
      </header>
      <main id="main" data-visitor className="mx-auto w-full max-w-md flex-1 px-4">
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** Fetches what is likely needed next once the browser has nothing better to do. */
function fetchWhenIdle(parts: Pick<LazyPart<object>, 'fetchAhead'>[]): () => void {
  return whenIdle(() => parts.forEach(({ fetchAhead }) => fetchAhead()));
}
