import type { z } from 'zod/mini';

/**
 * Who may call an endpoint. `public`: any caller, no token. `session`: any live token. `tenant`: a
 * live token whose facility is the one in the path and whose tenants own every id in the path.
 */
export type Access = 'public' | 'session' | 'tenant';

/**
 * What gives way under load, the first of them first: photos, then the usual reads and forms, then
 * what signs in and out, and last what moves money.
 */
export type Urgency = 'photo' | 'usual' | 'sign-in' | 'payment';

/** What the API's page groups the calls by, in its order. */
export const subjects = [
  'Signing in',
  'Facility',
  'Tenant',
  'Rentals',
  'Payments',
  'Receipts and statements',
  'Autopay',
  'Insurance',
  'Gate access',
  'E-sign',
  'Unit contents and vehicles',
  'Requests',
] as const;

/**
 * A schema whose value can travel as JSON; the contract uses `zod/mini` because the browser loads
 * it.
 */
export type Schema = z.ZodMiniType;

/**
 * One call of the specification as a value: the server registers it with a handler, the web calls
 * it, OpenAPI shows it. `path` is below `/api` and marks parameters with a colon; `params` names
 * them all. `example` is a reply of the right shape, shown in the API's page.
 */
export type Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> = {
  name: string;
  subject: (typeof subjects)[number];
  summary: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: `/${string}`;
  access: Access;
  /** When it gives way under load, where it is not `usual`. */
  urgency?: Urgency;
  /**
   * Of one that pays or agrees to a cost, ends a rental, signs, asks for the gate at night, changes
   * who is reached or signs in, or opens a record without a session: in a session that is kept on a
   * phone (sessions.ts) it needs a passkey of the last ten minutes, and is refused with 403 and the
   * header `Gatehouse-Step-Up: confirm` without one. Any other session is never asked.
   */
  confirm?: true;
  params?: Params;
  query?: Query;
  body?: Body;
  reply: Reply;
  /**
   * The largest body in bytes where it is not the usual 64 KiB: an upload, which is also given more
   * time.
   */
  bodyBytes?: number;
  /** Headers that its answer carries in addition to those of every answer. */
  replyHeaders?: Record<string, string>;
  example: z.output<Reply>;
};

/** Declares an endpoint and keeps the exact types of its shapes. */
export function endpoint<
  Reply extends Schema,
  Params extends Schema = never,
  Query extends Schema = never,
  Body extends Schema = never,
>(value: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return value;
}

type Part<Key extends string, Shape> = [Shape] extends [never]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Shape extends Schema ? z.output<Shape> : never };

/** What a caller passes: exactly the parts that the endpoint declares. */
export type Args<E> =
  E extends Endpoint<infer Params, infer Query, infer Body, infer _Reply>
    ? Part<'params', Params> & Part<'query', Query> & Part<'body', Body>
    : never;

/** What the endpoint answers. */
export type Reply<E extends { reply: Schema }> = z.output<E['reply']>;

/** The facility prefix of the specification. */
export const PREFIX = '/corporations/:corp/locations/:locationCode';

/** The path below the API base with its parameters filled in and its query appended. */
export function pathOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, string> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`);
    return value.split(',').map(encodeURIComponent).join(',');
  });
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
