import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteConfig } from './route-config.ts';
import { portalFolder } from './pages.ts';

/**
 * The public routes outside of the contract: they return nothing of a tenant, or exist in the
 * sandbox only.
 */
const openRoutes = [
  /^\/(healthz|readyz|metrics|openapi\.json|docs)$/,
  /^\/mailbox(\/mails\/:mailId|\/attachments\/:kind\/:id|\/texts\/:textId)?$/,
  /^\/api\/dev\/mailbox$/,
  // Reports from browsers.
  /^\/api\/policy-reports$/,
  // Authenticated by their signatures.
  /^\/api\/webhooks\/(stripe|twilio)$/,
  // Authenticated by the sealed token of a link that was mailed to a tenant.
  /^\/objections\/:token$/,
  /^\/reminders\/:token$/,
  // Authenticated by the sealed token of a URL that the tenant was given.
  /^\/calendar\/:token\.ics$/,
  // Keep a cookie with the language of the pages.
  /^\/(en|es)\/\*$/,
  // Leads to a page.
  /^\/\.well-known\/change-password$/,
  // The portal's files in each language.
  /^\/(sw\.js|portal\.webmanifest)$/,
  // The office's page and its files, which are the same for everybody.
  /^\/office(\/.*)?$/,
  // The catch-all routes: not found, and the portal's pages.
  /^(\/api)?\/\*$/,
];

/**
 * Denies by default: from now on the app throws for every route that has no access rule and is not
 * on the list above, so that a route without a rule prevents the start.
 */
export function requireAccess(app: FastifyInstance, folder = portalFolder): void {
  app.addHook('onRoute', ({ url, config }) => {
    const isOpen = openRoutes.some((pattern) => pattern.test(url)) || isFileOf(folder, url);
    if (config?.access === undefined && !isOpen)
      throw new Error(`the route ${url} has no access rule`);
  });
}

/** From now on every route of the scope is the office's, also those that refuse a method. */
export function markOffice(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, isOffice: true };
  });
}

/** Whether the route that was found for a request is the office's. */
export function isOfficeRoute({ routeOptions }: FastifyRequest): boolean {
  const { isOffice = false }: RouteConfig = routeOptions.config;
  return isOffice;
}

function isFileOf(folder: string, url: string): boolean {
  return statSync(join(folder, url), { throwIfNoEntry: false })?.isFile() ?? false;
}
