import { createHash } from 'node:crypto';

/** The style that the server's own pages share: colours, light and dark, text and cards. */
const shared = `
:root { color-scheme: light dark; --surface: oklch(0.974 0.005 245); --raised: oklch(1 0 0);
  --line: oklch(0.905 0.009 245); --control: oklch(0.6 0.02 245); --text: oklch(0.235 0.022 250);
  --muted: oklch(0.44 0.022 250); --brand: oklch(0.42 0.105 245); --action: oklch(0.42 0.105 245);
  --good: oklch(0.42 0.105 155); --good-soft: oklch(0.955 0.035 155); }
@media (prefers-color-scheme: dark) {
  :root { --surface: oklch(0.185 0.016 250); --raised: oklch(0.232 0.019 250); --line: oklch(0.335 0.022 250);
    --control: oklch(0.6 0.022 250); --text: oklch(0.95 0.006 245); --muted: oklch(0.77 0.016 245);
    --brand: oklch(0.79 0.095 240); --action: oklch(0.5 0.1 245); --good: oklch(0.82 0.125 155);
    --good-soft: oklch(0.295 0.045 158); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--surface); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.2; font-weight: 650; text-wrap: balance; }
h2 { margin: 0 0 4px; font-size: 17px; line-height: 1.3; font-weight: 650; }
p { margin: 0; }
.muted { color: var(--muted); }
.card { padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
@media (min-width: 640px) { .card { padding: 24px; } }
`;

/** The sheet of a page that has `own` style as well, and the source that its policy allows. */
export function pageStyle(own: string): { style: string; source: string } {
  const style = shared + own;
  return { style, source: `'sha256-${createHash('sha256').update(style).digest('base64')}'` };
}
