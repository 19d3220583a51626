import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { asMailClientShows, faultsOfSheet } from '#test/mail-client.ts';
import { mailsToStaff } from '#test/mails-to-staff.ts';
import { mailsToTenants } from '#test/mails-to-tenants.ts';
import { renderEmail } from './render.ts';

const brand = {
  name: 'Anchor & Axle RV & Boat Storage',
  url: 'https://portal.example.com',
  officeUrl: 'https://office.example.com',
};
const every = Object.entries({ ...mailsToTenants, ...mailsToStaff });

/** Each form of a mail, in both languages, with its parts. */
function rendered(forms: (typeof every)[number][1]) {
  return forms.flatMap((form) =>
    (['en', 'es'] as const).map((language) =>
      inLanguage(language, () => {
        const email = form();
        return { email, ...renderEmail(email, brand) };
      }),
    ),
  );
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const decoded = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name]!);

/** The words of a part, without where a link of the text part leads and the signs of its layout. */
const wordsOf = (text: string) =>
  text
    .replace(/^(https?:\S+)$/gm, '')
    .replace(/^> /gm, '')
    .split(/[\s:]+/u)
    .filter((word) => word !== '');
const wordsOfHtml = (html: string) =>
  wordsOf(decoded(html.replace(/<(title|style)>[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, '\n')));

// spec 10.102
describe('a mail', () => {
  test.each(every)(
    'about %s says all of it where a mail program has cleaned its HTML',
    (_, forms) => {
      for (const { email, html } of rendered(forms)) {
        const shown = asMailClientShows(html, false);
        expect(wordsOfHtml(shown)).toEqual(wordsOfHtml(html));
        for (const block of email.blocks)
          if (block.kind === 'link' && block.isQuiet !== true)
            expect(shown).toMatch(
              /<a href="(https:\/\/\S+|tel:\+1\d{10})" class="button" style="display:inline-block;padding:12px 24px;background:#015182;border-radius:8px;color:#ffffff;/,
            );
      }
    },
  );

  test.each(every)('about %s says the same in its text part', (_, forms) => {
    for (const { html, text } of rendered(forms)) {
      expect([...wordsOf(brand.name), ...wordsOf(text)]).toEqual(wordsOfHtml(html));
      const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => decoded(url!));
      for (const url of links) if (!url.startsWith('tel:')) expect(text).toContain(`\n${url}\n`);
    }
  });
});

test('the style element has nothing for which mail programs drop it', () => {
  const { html } = renderEmail({ subject: 'x', blocks: [] }, brand);
  const [, sheet = ''] = /<style>([\s\S]*?)<\/style>/.exec(html)!;
  expect(sheet).toContain('prefers-color-scheme: dark');
  expect(faultsOfSheet(sheet)).toEqual([]);
  expect(faultsOfSheet('p { color: red }')).toEqual(['p']);
  expect(faultsOfSheet('.a { background: url(x) }')).toEqual(['url(']);
});

test('what a mail program drops is gone from what the test looks at', () => {
  const hostile =
    '<p style="position:fixed;color:red" onclick="x()">a</p><form><script>b</script></form>';
  expect(asMailClientShows(hostile, true)).toBe(
    '<style></style><div><p style="color:red">a</p></div>',
  );
});
