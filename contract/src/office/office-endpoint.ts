import { z } from 'zod/mini';
import type { Schema } from '../endpoint.ts';

/** What members of staff may do, each more than the one before. */
export const officeRoles = ['clerk', 'manager', 'owner'] as const;
export type OfficeRole = (typeof officeRoles)[number];
export const officeRole = z.enum(officeRoles, 'Role must be clerk, manager or owner.');

/** Whether a role is this one or above it. */
export function isAtLeast(role: OfficeRole, least: OfficeRole): boolean {
  return officeRoles.indexOf(role) >= officeRoles.indexOf(least);
}

/**
 * The header in which a page of the office names the member of staff whom it shows, by the id of
 * `me`. The cookie is shared by all tabs of a browser, so that another member may have signed in in
 * one of them: the call is then refused with 409, and the answer names in this header who is signed
 * in.
 */
export const MEMBER_HEADER = 'Staff-Member';

/** The header of a call that a page repeats automatically: it does not extend the session. */
export const POLL_HEADER = 'Office-Poll';

/**
 * One call of the office, below `/api/office`: as `Endpoint` without what the API's page shows, and
 * `access` is `staff`, with the least role, or `public` for what signs in. Other hosts than the
 * office's answer 404.
 */
export type OfficeEndpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> = {
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: `/office/${string}`;
  access: 'staff' | 'public';
  /** The least role that may; null where `access` is `public`. */
  role: OfficeRole | null;
  /** Also for a member who has not set up the second step where it is demanded. */
  isForEnrolling?: boolean;
  /** For pages that show no member yet: without the name in `MEMBER_HEADER`. */
  isUnnamed?: boolean;
  /**
   * Of a call that shows tenants' data: what, in the words of the office's menu. That it was shown
   * is an event of the audit trail (server/src/http/shown.ts).
   */
  shows?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The limit of a body that carries files, in bytes; 64 KB where it is not given. */
  bodyBytes?: number;
  reply: Reply;
};

type Part<Key extends string, Shape> = unknown extends Shape
  ? { [K in Key]?: undefined }
  : [Shape] extends [never]
    ? { [K in Key]?: undefined }
    : { [K in Key]: Shape extends Schema ? z.input<Shape> : never };

/** What a caller passes: exactly the parts that the call declares. */
export type OfficeArgs<E> = E extends {
  params?: infer Params;
  query?: infer Query;
  body?: infer Body;
}
  ? Part<'params', NonNullable<Params>> &
      Part<'query', NonNullable<Query>> &
      Part<'body', NonNullable<Body>>
  : never;

/** Declares a call of the office and keeps the exact types of its shapes. */
export function officeEndpoint<
  Reply extends Schema,
  Params extends Schema = never,
  Query extends Schema = never,
  Body extends Schema = never,
>(value: OfficeEndpoint<Params, Query, Body, Reply>): OfficeEndpoint<Params, Query, Body, Reply> {
  return value;
}
