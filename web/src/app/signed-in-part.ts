import { lazyPart } from '#ui/lazy-part.tsx';

/**
 * The signed-in part of the app around its screens: store, layout, idle timer. One chunk, absent
 * from `/login`.
 */
export const SignedIn = lazyPart(() => import('./signed-in.tsx'));
