import { lazyPart } from './lazy-part.tsx';

const fetchModule = () => import('./signed-in.tsx');

/** The signed-in part of the app around its screens: store, layout, idle timer. One chunk, absent from `/login`. */
export const SignedIn = lazyPart(() => fetchModule().then((module) => module.SignedIn));

/** Makes the first reads of a tenant's page; answers whether what it shows is there (first-reads.ts). */
export async function readFirst(path: string): Promise<boolean> {
  const module = await fetchModule();
  return module.readFirst(path);
}
