import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Schema } from '@gatehouse/contract/endpoint';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import type { z } from 'zod/mini';
import type { Config } from '#config/config.ts';
import { ofRequest, type Context } from '#context/context.ts';
import { reaching } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';
import { DEVICE_DAYS } from './token.ts';
import { dropCookie, readCookie, setCookie } from './cookies.ts';
import { originOf, refusals, type Origin, type Value } from './routes.ts';
import {
  DEVICE_COOKIE,
  guardStaff,
  OFFICE_COOKIE,
  reachOf,
  recheckOf,
  staffOf,
  type StaffMember,
} from './staff-guard.ts';
import { receiveUploads } from './uploads.ts';
import { notesShown } from './shown.ts';

/** The arguments of a handler of the office: the validated parts that the call declares. */
export type OfficeCall<Params, Query, Body> = {
  /**
   * Reads and writes every row: for the verbs of staff, which check the facilities themselves. What
   * a member writes is committed only while session, role and facilities are as the guard found.
   */
  work: Context;
  params: Params;
  query: Query;
  body: Body;
  /** With the account of the member who calls. */
  origin: Origin & { staffId?: string };
  /** Sets the cookie of the session, or with null removes it. */
  setSession: (token: string | null) => void;
  /** The token by which the browser is known from an earlier sign-in; undefined for none. */
  device: string | undefined;
  setDevice: (token: string) => void;
};

type Register<More> = <
  Params extends Schema = never,
  Query extends Schema = never,
  Body extends Schema = never,
  Answer extends Schema = never,
>(
  endpoint: OfficeEndpoint<Params, Query, Body, Answer>,
  handler: (
    call: OfficeCall<Value<Params>, Value<Query>, Value<Body>> & More,
  ) => Promise<z.output<Answer>>,
) => void;

/** The registrars for the office's routes. */
export type OfficeRoutes = {
  /** For a call without a session. */
  open: Register<unknown>;
  /**
   * For a call of a member of staff; the guard has checked session and role. The database of `ctx`
   * shows the rows of the member's facilities only, and writes nothing.
   */
  staff: Register<{ ctx: Context; staff: StaffMember }>;
};

/**
 * The registrars for a scope whose prefix is the API base. What changes something is accepted from
 * the office's own pages only, and is no simple request: its body is JSON.
 */
export function officeRoutesOf(scope: FastifyInstance, ctx: Context): OfficeRoutes {
  scope.addHook('onRequest', async (request) => refuseOtherPages(request, ctx.config.office));
  const uploading = receiveUploads((request) => staffOf(request).staffId);
  function register(
    endpoint: OfficeEndpoint,
    isOpen: boolean,
    handler: (
      call: OfficeCall<never, never, never> & { ctx: Context; staff: StaffMember },
    ) => Promise<unknown>,
  ) {
    if ((endpoint.access === 'public') !== isOpen || (endpoint.role === null) !== isOpen)
      throw new Error(`${endpoint.name} is registered under the wrong access rule`);
    const { role } = endpoint;
    const noteShown = endpoint.shows === undefined ? null : notesShown(ctx, endpoint);
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { access: endpoint.access, urgency: isOpen ? 'sign-in' : 'usual' },
      schema: {
        hide: true,
        ...(endpoint.params && { params: endpoint.params }),
        ...(endpoint.query && { querystring: endpoint.query }),
        ...(endpoint.body && { body: endpoint.body }),
        response: { 200: endpoint.reply, ...refusals },
      },
      ...(role !== null && { onRequest: guardStaff(ctx, { ...endpoint, role }) }),
      ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes, ...uploading }),
      handler: async (request, reply) => {
        const member = isOpen ? null : staffOf(request);
        const every = member === null ? ctx.db : reaching(ctx.db, null, recheckOf(member));
        const work = { ...ofRequest(ctx, request.id, request.log), db: every };
        const asked = {
          staff: member as StaffMember,
          params: request.params as never,
          query: request.query as never,
          origin: { ...originOf(request), ...(member !== null && { staffId: member.staffId }) },
        };
        const answer = await handler({
          work,
          ctx: member === null ? work : { ...work, db: reaching(ctx.db, reachOf(member)) },
          ...asked,
          body: request.body as never,
          setSession: (token) => setSession(reply, token),
          device: readCookie(request, DEVICE_COOKIE) ?? undefined,
          setDevice: (token) => setCookie(reply, DEVICE_COOKIE, token, DEVICE_DAYS),
        });
        await noteShown?.(work, asked, answer);
        return answer;
      },
    });
  }
  return {
    open: (endpoint, handler) => register(endpoint, true, handler),
    staff: (endpoint, handler) => register(endpoint, false, handler),
  };
}

function setSession(reply: FastifyReply, token: string | null): void {
  if (token === null) dropCookie(reply, OFFICE_COOKIE);
  else setCookie(reply, OFFICE_COOKIE, token);
}

/**
 * Refuses what changes something unless the browser says that the page it comes from has this
 * origin. The cookie is never sent from another site, but another port of the host is the same
 * site.
 */
function refuseOtherPages({ method, headers }: FastifyRequest, office: Config['office']): void {
  if (method === 'GET' || method === 'HEAD') return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn =
    origin === undefined
      ? site === 'same-origin'
      : origin === originAt(host, office) && (site ?? 'same-origin') === 'same-origin';
  if (!isOwn) throw new Refusal(403, 'Only the office’s own pages can do this.');
}

/**
 * The origin of the office's pages where a browser calls it at this host; null where the host is
 * none. By a name that is not configured, such as a loopback one, the server is reached without a
 * proxy, and so over http.
 */
function originAt(host = '', office: Config['office']): string | null {
  if (office?.isApart === true) return office.url;
  const plain = `http://${host}`;
  if (office === null || !URL.canParse(plain)) return null;
  const { protocol, hostname } = new URL(office.url);
  const isConfigured = new URL(plain).hostname === hostname;
  return isConfigured ? new URL(`${protocol}//${host}`).origin : new URL(plain).origin;
}
