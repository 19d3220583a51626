import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { MEMBER_HEADER, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import type { Database } from '#db/database.ts';
import { hashToken, newStaffToken } from '#http/token.ts';
import { DEVICE_COOKIE, OFFICE_COOKIE } from '#http/staff-guard.ts';
import { makeStaffMember } from '#seeds/builders.ts';
import { answerOf, type Answer, type TestApp } from './app.ts';
import { addRows, getRow } from './rows.ts';

/** The headers that a browser sends from a page of the office. */
export const OFFICE_PAGE = { origin: 'http://localhost', host: 'localhost' };

type CallOptions = {
  /** The token of a session, whose member the page shows. */
  as?: string | undefined;
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
};

/** Calls the office's API as a page of the office does; `path` is below the API's base. */
export async function callOffice(
  { app, owner }: TestApp,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { as, body, query, headers }: CallOptions = {},
): Promise<Answer> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const response = await app.inject({
    method,
    url: `/api${path}${search}`,
    headers: {
      ...OFFICE_PAGE,
      ...(as !== undefined && {
        cookie: `${OFFICE_COOKIE}=${as}`,
        [MEMBER_HEADER]: await memberOf(owner, as),
      }),
      ...headers,
    },
    ...(body !== undefined && { payload: body as InjectOptions['payload'] }),
  } as InjectOptions);
  return answerOf(response);
}

/**
 * Does a verb, such as `rentals/move-in`, in a session: under a new key, for no reason and not as a
 * preview, unless the body says otherwise.
 */
export function doVerb(test: TestApp, as: string, verb: string, body: object): Promise<Answer> {
  const call = { key: randomUUID(), why: '', isPreview: false };
  return callOffice(test, 'POST', `/office/verbs/${verb}`, { as, body: { ...call, ...body } });
}

/** The id of a session's member; an empty text where there is no such session. */
async function memberOf(owner: Database, token: string): Promise<string> {
  const session = await owner
    .selectFrom('staff_sessions')
    .select('staff_id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  return session?.staff_id ?? '';
}

/** The token of a new session of a demo member of staff, begun without hashing a password. */
export async function signInStaff(
  { owner, ctx }: TestApp,
  who: OfficeRole | { email: string },
): Promise<string> {
  const email = typeof who === 'string' ? `${who}@anchor-axle.example` : who.email;
  const { id } = await getRow(owner, 'staff_members', 'id', { email });
  const token = newStaffToken();
  const now = ctx.clock.now();
  await addRows(owner, 'staff_sessions', {
    token_hash: hashToken(token),
    staff_id: id,
    created_at: now,
    last_seen_at: now,
  });
  return token;
}

/** The token of a session of a new member of staff, Jo Park, who works for one facility only. */
export async function signInNewStaff(
  api: TestApp,
  role: OfficeRole,
  facilityId: string,
): Promise<string> {
  const email = `${role}-${randomUUID()}@anchor-axle.example`;
  await makeStaffMember(api.owner, {
    ...{ email, name: 'Jo Park', role, password: randomUUID() },
    ...{ facilityIds: [facilityId], createdAt: api.ctx.clock.now() },
  });
  return signInStaff(api, { email });
}

/** The token in the cookie that an answer sets; null where it sets or keeps none. */
export function tokenIn({ headers }: Answer): string | null {
  return cookieIn(headers, OFFICE_COOKIE);
}

/** The token of the browser, by which it is known at the next sign-in; null where none is set. */
export function deviceIn({ headers }: Answer): string | null {
  return cookieIn(headers, DEVICE_COOKIE);
}

function cookieIn(headers: Answer['headers'], name: string): string | null {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String);
  const found = cookies.map((cookie) => new RegExp(`^${name}=([\\w-]+);`).exec(cookie)?.[1]);
  return found.find((token) => token !== undefined) ?? null;
}
