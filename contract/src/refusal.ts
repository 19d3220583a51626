/** What `WWW-Authenticate` says in a 401 of the server. */
export const INVALID_TOKEN = 'Bearer error="invalid_token"';

/**
 * The sentence of a refusal; undefined where it is not the server's own, but a proxy's or that of a
 * network that asks to sign in first. Those end no session and settle no payment: what the server
 * made of the request, if it came there, is not known. `json` is what the body was parsed to.
 */
export function sentenceOfRefusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  json: unknown,
): string | undefined {
  if (status === 401 && headers.get('WWW-Authenticate') !== INVALID_TOKEN) return undefined;
  const { message } = Object(json) as { message?: unknown };
  return typeof message === 'string' && message !== '' ? message : undefined;
}
