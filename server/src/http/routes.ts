import { t } from '@gatehouse/language/t';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint, Schema } from '@gatehouse/contract/endpoint';
import { z } from 'zod/mini';
import { ofRequest, type Context } from '#context/context.ts';
import { reaching } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';
import { readerOfBodyIds } from './body-ids.ts';
import { callerOf, guard, guardBody, recheckOf, type Caller } from './guard.ts';
import type { RouteConfig } from './route-config.ts';
import { receiveUploads } from './uploads.ts';

/**
 * The arguments of a handler: the validated parts that the endpoint declares. For a signed-in
 * caller the database of `ctx` is limited to the caller's own rows, and commits a write only while
 * session and reach are as the guard found them.
 */
export type Call<Params, Query, Body> = {
  ctx: Context;
  params: Params;
  query: Query;
  body: Body;
  /** The Idempotency-Key header, where the client sent one. */
  idempotencyKey: string | undefined;
  origin: Origin;
};

/**
 * The origin of a call, as stored with a consent: address and user agent, which are claims and not
 * proof, and the request id that the server gave it.
 */
export type Origin = { ip: string; userAgent: string | null; requestId: string };

/** What a validated part is; undefined where the endpoint declares none. */
export type Value<S> = [S] extends [never] ? undefined : S extends Schema ? z.output<S> : undefined;

/** Registers an endpoint of the contract with its handler. */
type Register<More> = <
  Params extends Schema = never,
  Query extends Schema = never,
  Body extends Schema = never,
  Answer extends Schema = never,
>(
  endpoint: Endpoint<Params, Query, Body, Answer>,
  handler: (
    call: Call<Value<Params>, Value<Query>, Value<Body>> & More,
  ) => Promise<z.output<Answer>>,
) => void;

/** The registrars for a feature's routes. */
export type Routes = {
  /** For a public endpoint. */
  open: Register<unknown>;
  /**
   * For an endpoint of a signed-in caller; the guard has checked every id of its path, query and
   * body.
   */
  guarded: Register<{ caller: Caller }>;
};

const problem = z.object({ message: z.string() });

/** The schemas of error answers. */
export const refusals = { '4xx': problem, '5xx': problem };

/**
 * The registrars for an app whose prefix is the API base. Throws at the start for an endpoint under
 * the wrong access rule.
 */
export function routesOf(app: FastifyInstance, ctx: Context): Routes {
  const uploading = receiveUploads((request) => callerOf(request).userId);
  function register(
    endpoint: Endpoint,
    isOpen: boolean,
    handler: (call: Call<never, never, never> & { caller: Caller }) => Promise<unknown>,
  ) {
    if ((endpoint.access === 'public') !== isOpen)
      throw new Error(`${endpoint.name} is registered under the wrong access rule`);
    const idsIn =
      isOpen || endpoint.body === undefined ? null : readerOfBodyIds(endpoint.name, endpoint.body);
    // Shows the example on the API's page.
    z.globalRegistry.add(endpoint.reply, { examples: [endpoint.example] });
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: {
        access: endpoint.access,
        urgency: endpoint.urgency ?? 'usual',
      } satisfies RouteConfig,
      schema: {
        operationId: endpoint.name,
        summary: endpoint.summary,
        tags: [endpoint.subject],
        ...(isOpen ? {} : { security: [{ bearer: [] }] }),
        ...(endpoint.params && { params: endpoint.params }),
        ...(endpoint.query && { querystring: endpoint.query }),
        ...(endpoint.body && { body: endpoint.body }),
        response: { 200: endpoint.reply, ...refusals },
      },
      ...(isOpen ? {} : { onRequest: guard(ctx, endpoint) }),
      ...(idsIn !== null && { preHandler: guardBody(ctx, idsIn) }),
      ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes, ...uploading }),
      handler: (request, reply) => {
        void reply.headers(endpoint.replyHeaders ?? {});
        const caller = isOpen ? null : callerOf(request);
        const db = caller === null ? ctx.db : reaching(ctx.db, caller, recheckOf(caller));
        return handler({
          ctx: { ...ofRequest(ctx, request.id, request.log), db },
          params: request.params as never,
          query: request.query as never,
          body: request.body as never,
          idempotencyKey: idempotencyKeyOf(request),
          origin: originOf(request),
          caller: caller as never,
        });
      },
    });
  }
  return {
    open: (endpoint, handler) => register(endpoint, true, handler),
    guarded: (endpoint, handler) => register(endpoint, false, handler),
  };
}

/**
 * Throws for a route without a schema of its answers: fields outside of the schema are not sent.
 * Register before the routes.
 */
export function demandShapes(api: FastifyInstance): void {
  api.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.response === undefined)
      throw new Error(`${String(method)} ${url} has no shape of its answers`);
  });
}

/** Where a request comes from. */
export function originOf({ ip, headers, id }: FastifyRequest): Origin {
  return { ip, userAgent: headers['user-agent']?.slice(0, 300) ?? null, requestId: id };
}

/**
 * The Idempotency-Key header, if any. Refuses with 422 a key that is not 1 to 255 plain characters.
 */
function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal(422, t('Idempotency-Key must be 1 to 255 plain characters.'));
  return key;
}
