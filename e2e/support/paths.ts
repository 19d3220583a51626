import { readFileSync } from 'node:fs';

const list = new URL('../../web/dist/.vite/pages.json', import.meta.url);
const { files } = JSON.parse(readFileSync(list, 'utf8')) as { files: Record<string, string> };
const others = ['/login', '/register', '/forgot-password', '/gate'];

/** The path of each screen that only a tenant may see, as the portal was built. */
export const tenantPaths = Object.keys(files).filter((path) => !others.includes(path));
