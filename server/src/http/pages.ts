import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the built portal lies. */
export const portalFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** The portal's HTML files and what stands inline in them, as the build lists it (web/vite-prerender.ts). */
export type Pages = {
  /** The operator whose portal it is: the build's CORPORATION_CODE. */
  corporationCode: string;
  /** The file of each path of the route table. */
  files: Record<string, string>;
  /** The file of every other path. */
  otherwise: string;
  /** The hashes of the inline scripts and styles, as the page policy names them (C1). */
  scripts: string[];
  styles: string[];
};

/** Reads the build's list of pages; null where the portal is not built. */
export function readPages(folder = portalFolder): Pages | null {
  const list = join(folder, '.vite', 'pages.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Pages) : null;
}

/** What is wrong with the portal that is built, for the operator of this code; null where it is his, or none is built. */
export function portalFault(corporationCode: string, folder = portalFolder): string | null {
  const built = readPages(folder)?.corporationCode;
  if (built === undefined || built === corporationCode) return null;
  return `The portal was built for the operator ${built}, and CORPORATION_CODE is ${corporationCode}: build it again with CORPORATION_CODE=${corporationCode} npm run build.`;
}
