import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '@gatehouse/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { portalFolder } from './pages.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rule under which `routesOf` registered it. */
    access?: Access;
  }
}

/** What anybody may call outside of the contract: it tells nothing of a tenant, or is there in the sandbox alone. */
const openRoutes = [
  /^\/(healthz|readyz|metrics|openapi\.json)$/,
  /^\/docs(\/.*)?$/,
  /^\/mailbox(\/attachments\/:mailId)?$/,
  /^\/api\/dev\/mailbox$/,
  // What browsers tell of the page.
  /^\/api\/policy-reports$/,
  // By its signature.
  /^\/api\/webhooks\/stripe$/,
  // By the seal of a link that was mailed to staff.
  /^\/staff\/requests\/:token(\/photo)?$/,
  // Not found, and the portal's pages.
  /^(\/api)?\/\*$/,
];

/**
 * Denied by default (D35): from now on the app throws for every route that has neither an access rule nor a place in the
 * list above, so that it does not start with one that nobody thought of.
 */
export function requireAccess(app: FastifyInstance, folder = portalFolder): void {
  app.addHook('onRoute', ({ url, config }) => {
    const isOpen = openRoutes.some((pattern) => pattern.test(url)) || isFileOf(folder, url);
    if (config?.access === undefined && !isOpen) throw new Error(`the route ${url} has no access rule`);
  });
}

function isFileOf(folder: string, url: string): boolean {
  return statSync(join(folder, url), { throwIfNoEntry: false })?.isFile() ?? false;
}
