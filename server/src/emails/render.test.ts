import { describe, expect, test } from 'vitest';
import type { Email } from './email.ts';
import { renderEmail } from './render.ts';

const brand = {
  name: 'Anchor & Axle RV & Boat Storage',
  url: 'https://portal.example.com',
  officeUrl: null,
};
const email: Email = {
  subject: 'Maintenance request R-100042',
  blocks: [
    { kind: 'paragraph', text: 'A tenant asks for maintenance.' },
    { kind: 'code', text: '01234567' },
    {
      kind: 'facts',
      facts: [
        ['Unit', 'A101'],
        ['Issue', 'The door\nis stuck.'],
      ],
    },
  ],
};

describe('an email', () => {
  test('has its text part in plain lines, the code ungrouped on a line of its own', () => {
    expect(renderEmail(email, brand).text).toBe(
      [
        'A tenant asks for maintenance.',
        '',
        '01234567',
        '',
        'Unit: A101',
        'Issue: The door',
        'is stuck.',
        '',
        'Anchor & Axle RV & Boat Storage',
        'https://portal.example.com',
        '',
      ].join('\n'),
    );
  });

  test('says the same in its HTML part', () => {
    const { html } = renderEmail(email, brand);
    for (const text of [
      'A tenant asks for maintenance.',
      '01234567',
      'A101',
      'The door\nis stuck.',
    ])
      expect(html).toContain(`>${text}<`);
    expect(html).toContain('Anchor &amp; Axle RV &amp; Boat Storage');
  });

  test('loads nothing, and links to the portal only', () => {
    const { html } = renderEmail(email, brand);
    expect(html).not.toMatch(/<img|<script|<link|url\(|src=/);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([brand.url]);
  });

  test('marks each line of a quotation in its text part, and sets it off in the HTML', () => {
    const quoted = 'one\r\ntwo\n\nthree\rfour\u2028five';
    const { html, text } = renderEmail(
      { subject: 'x', blocks: [{ kind: 'quote', text: quoted }] },
      brand,
    );
    expect(text).toContain('> one\n> two\n> \n> three\n> four\n> five\n');
    expect(html).toMatch(/<blockquote[^>]*>one\r\ntwo/);
    expect(html).not.toContain('&gt; one');
  });

  test('has a link where it is given one, which its text part spells out', () => {
    const url = `${brand.url}/account?a=1&b=2`;
    const { html, text } = renderEmail(
      { subject: 'x', blocks: [{ kind: 'link', label: 'See <it>', url }] },
      brand,
    );
    expect(html).toMatch(
      /<a href="https:\/\/portal\.example\.com\/account\?a=1&amp;b=2"[^>]*>See &lt;it&gt;<\/a>/,
    );
    expect(text).toContain(`See <it>:\n${url}\n`);
  });

  test('has a link that is quiet as text, not as a button', () => {
    const link = { kind: 'link' as const, label: 'Stop', url: `${brand.url}/x` };
    const { html } = renderEmail(
      { subject: 'x', blocks: [link, { ...link, isQuiet: true }] },
      brand,
    );
    const classes = [...html.matchAll(/<a href="[^"]*\/x" class="(\w+)"/g)].map(([, one]) => one);
    expect(classes).toEqual(['button', 'quiet']);
  });

  // asvs 1.1.2, 1.3.7
  test.each([
    '<b>bold</b>',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</title></style><i>',
  ])('shows a tenant’s text literally, never as markup: %s', (hostile) => {
    const { html, text } = renderEmail(
      {
        subject: hostile,
        blocks: [
          { kind: 'paragraph', text: hostile },
          { kind: 'code', text: hostile },
          { kind: 'facts', facts: [[hostile, hostile]] },
        ],
      },
      brand,
    );
    expect(html).not.toContain(hostile);
    expect(text.split(hostile)).toHaveLength(5);
    const tags = (source: string) => [...source.matchAll(/<\/?\w+/g)].map(([tag]) => tag);
    const harmless = {
      subject: 'x',
      blocks: [email.blocks[0]!, email.blocks[1]!, { kind: 'facts', facts: [['x', 'x']] }],
    };
    expect(tags(html)).toEqual(tags(renderEmail(harmless as Email, brand).html));
  });

  test.each(['a\r\nb', 'a\nb', 'a\rb', 'a\0b', 'a\u2028b', '\r\na b\r\n'])(
    'has a subject of one line: %j',
    (subject) => {
      expect(renderEmail({ subject, blocks: [] }, brand).subject).toBe('a b');
    },
  );
});
