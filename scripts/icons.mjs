import { chromium } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserArgs, findBrowser } from './browser.mjs';
import { root } from './setup.mjs';

// Makes the icons of the home screen, web/src/brand/icon-*.png, again of the built portal's mark:
// on the whole square, because each system cuts its own shape out of it.
const sizes = [180, 512];
const svg = readFileSync(join(root, 'web/dist/icon.svg'), 'utf8').replace(' rx="8"', '');
const { executablePath } = await findBrowser();
const browser = await chromium.launch({ executablePath, args: browserArgs });
for (const size of sizes) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  await page.screenshot({ path: join(root, `web/src/brand/icon-${size}.png`) });
}
await browser.close();
