import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderOf } from '@gatehouse/language/folder';
import type { Language } from '@gatehouse/language/language';

/** The folder of the built portal. */
export const portalFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/**
 * The portal's HTML files and the hashes of their inline code, as listed by the build
 * (web/vite-prerender.ts).
 */
export type Pages = {
  /** The build's CORPORATION_CODE. */
  corporationCode: string;
  /** The file of each path of the route table. */
  files: Record<string, string>;
  /** The file of every path below another, by that one with its slash: the rest is a secret. */
  below: Record<string, string>;
  /** The file of every other path. */
  otherwise: string;
  /** The hashes of the inline scripts, as the page policy names them. */
  scripts: string[];
  /** The hash of the inline style, which is that of every page. */
  style: string;
};

/** Reads the build's list of pages in a language; null where the portal is not built. */
export function readPages(folder = portalFolder, language: Language = 'en'): Pages | null {
  const list = join(folder, '.vite', folderOf(language), 'pages.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Pages) : null;
}

/**
 * The fault of a built portal, for the operator with this code; null where it is that operator's,
 * or none is built.
 */
export function portalFault(corporationCode: string, folder = portalFolder): string | null {
  const built = readPages(folder)?.corporationCode;
  if (built === undefined || built === corporationCode) return null;
  return `The portal was built for the operator ${built}, and CORPORATION_CODE is ${corporationCode}: build it again with CORPORATION_CODE=${corporationCode} npm run build.`;
}
