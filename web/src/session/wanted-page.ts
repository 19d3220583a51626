/**
 * The page that a visitor asked for before signing in, with its query: the guards leave it in the
 * state of the place (app/router.tsx). My Units where there is none.
 */
export function wantedPage(state: unknown): string {
  return typeof state === 'string' && state.startsWith('/') ? state : '/';
}
