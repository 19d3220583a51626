import type { FastifyReply, FastifyRequest } from 'fastify';

/** The value of a cookie; null where it is missing, or there several times. */
export function readCookie({ headers }: FastifyRequest, name: string): string | null {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 && /^[\w-]{1,200}$/.test(values[0]!) ? values[0]! : null;
}

/**
 * Sets a cookie that only this host gets, from its own pages only, for as many days or until the
 * browser closes.
 */
export function setCookie(reply: FastifyReply, name: string, value: string, days?: number): void {
  const lasts = days === undefined ? '' : `; Max-Age=${days * 86_400}`;
  void reply.header(
    'set-cookie',
    `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=Strict${lasts}`,
  );
}

/** Removes it. */
export function dropCookie(reply: FastifyReply, name: string): void {
  void reply.header('set-cookie', `${name}=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0`);
}
