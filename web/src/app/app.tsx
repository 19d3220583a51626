import { t } from '@gatehouse/language/t';
import { NotFound } from '#features/error-page/error-page.tsx';
import { EitherFrame, TenantFrame, VisitorFrame } from './frames.tsx';
import { Page } from './page.tsx';
import { type Place, Router, usePlace } from './router.tsx';
import { routeOf, tenantRoutes } from './routes.ts';
import { ScrollPositions } from './scroll-positions.tsx';

/** The portal, beginning at a place: the one of the address bar, or that of a prerendered page. */
export function App({ first }: { first: Place }) {
  return (
    <Router first={first}>
      <ScrollPositions />
      <Route />
    </Router>
  );
}

/** The screen of the present path in its frame. */
function Route() {
  const { path } = usePlace();
  const route = routeOf(path);
  if (route === undefined) {
    return (
      <EitherFrame>
        <Page key={path} title={t('Page not found')}>
          <NotFound />
        </Page>
      </EitherFrame>
    );
  }
  const Frame = tenantRoutes.includes(route) ? TenantFrame : VisitorFrame;
  return (
    <Frame>
      <Page key={path} title={route.title}>
        <route.Screen />
      </Page>
    </Frame>
  );
}
