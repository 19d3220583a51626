import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { action, paragraph, type Email } from './email.ts';
import { mailsToTenants } from '#test/mails-to-tenants.ts';
import { mailsToStaff } from '#test/mails-to-staff.ts';
import { mergedEmail } from './merged.ts';
import { renderEmail } from './render.ts';

const brand = {
  name: 'Anchor & Axle',
  url: 'https://portal.example.com',
  officeUrl: 'https://office.example.com',
};
const every = Object.entries({ ...mailsToTenants, ...mailsToStaff });

/** A button, or the code that is typed where it was asked for. */
function actionsOf({ blocks }: Email): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'code') return [block.text];
    return block.kind === 'link' && block.isQuiet !== true ? [block.url] : [];
  });
}

// spec 10.100
describe('a mail has one action', () => {
  test.each(every)('about %s', (_, forms) => {
    for (const language of ['en', 'es'] as const)
      for (const form of forms) expect(actionsOf(inLanguage(language, form))).toHaveLength(1);
  });

  test('also when it was merged of several: the one that all have, or where they are', () => {
    const mail = (url: string): Email => ({
      subject: url,
      blocks: [paragraph('Hello'), action('Go', url)],
    });
    const same = mergedEmail('x', [mail('/profile'), mail('/profile')]);
    expect(actionsOf(same)).toEqual(['/profile']);
    const several = mergedEmail('x', [mail('/profile'), mail('/')]);
    expect(actionsOf(several)).toEqual(['/']);
    expect(several.blocks).toContainEqual({
      ...{ kind: 'link', label: 'Go', url: '/profile', isQuiet: true },
    });
    const office = mergedEmail('x', [mail('/office/a'), mail('/office/b')]);
    expect(actionsOf(office)).toEqual(['/office/']);
  });
});

test('a path leads to the portal, or below /office/ to the office, where one is served', () => {
  const blocks = [action('Pay', '/billing-info?ledger=all'), action('See', '/office/late')];
  const said = (officeUrl: string | null) =>
    renderEmail({ subject: 'x', blocks }, { ...brand, officeUrl });
  for (const part of [said(brand.officeUrl).text, said(brand.officeUrl).html]) {
    expect(part).toContain('https://portal.example.com/billing-info?ledger=all');
    expect(part).toContain('https://office.example.com/office/late');
  }
  expect(said(null).text).not.toContain('/office/');
});

test('a call is a link, and its text part names the number once', () => {
  const blocks = [paragraph('Hello'), action('Call (817) 555-0103', 'tel:+18175550103')];
  const { html, text } = renderEmail({ subject: 'x', blocks }, brand);
  expect(html).toContain('href="tel:+18175550103"');
  expect(text).toContain('\n\nCall (817) 555-0103\n\n');
  expect(text).not.toContain('tel:');
});
