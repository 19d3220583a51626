import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import type { Email } from './email.ts';
import { mailsToTenants, returned } from '#test/mails-to-tenants.ts';
import { paymentReturnedEmail } from './payment-returned.ts';

/** What of a mail is our words, not a value of a row. */
function wordsOf({ subject, blocks }: Email): string[] {
  const words = blocks.flatMap((block) => {
    if (block.kind === 'facts') return block.facts.map(([label]) => label);
    if (block.kind === 'link') return [block.label];
    return block.kind === 'code' ? [] : [block.text];
  });
  // The same in both languages.
  return [subject, ...words].filter((text) => text !== '' && text !== 'Total');
}

/** Words that no Spanish sentence has. */
const ENGLISH = /\b(the|your|of|is|was|and|you|with|to|please|for|unit|ending)\b/i;

describe('a mail to a tenant', () => {
  test.each(Object.entries(mailsToTenants))('about %s is in Spanish as a whole', (_, forms) => {
    for (const form of forms) {
      const english = wordsOf(inLanguage('en', form));
      const email = inLanguage('es', form);
      const spanish = wordsOf(email);
      expect(spanish).toHaveLength(english.length);
      expect(spanish.filter((text) => english.includes(text))).toEqual([]);
      const values = email.blocks.flatMap((block) =>
        block.kind === 'facts' ? block.facts.map(([, value]) => value) : [],
      );
      expect([...spanish, ...values].filter((text) => ENGLISH.test(text))).toEqual([]);
    }
  });

  test('is in the table above, whichever it is', () => {
    const apart = [
      'alarm',
      'morning',
      'call-facility',
      'email',
      'layout',
      'open-office',
      'owed',
      'render',
      'units',
    ];
    const files = readdirSync(import.meta.dirname)
      .filter((file) => /^[\w-]+\.ts$/.test(file))
      .map((file) => file.slice(0, -3))
      .filter((file) => !apart.includes(file));
    expect(Object.keys(mailsToTenants)).toEqual(expect.arrayContaining(files));
  });

  // spec 10.75
  test('says in Spanish what it says in English', () => {
    const { subject, blocks } = inLanguage('es', () => paymentReturnedEmail(returned));
    expect(subject).toBe('Su banco devolvió su pago de $204.50');
    expect(blocks).toContainEqual({
      kind: 'paragraph',
      text: 'Su banco devolvió su pago de las unidades A101, B207 en Lakeside: la cuenta está cerrada. Lo que había pagado se debe de nuevo.',
    });
    expect(blocks).toContainEqual({
      kind: 'facts',
      facts: [
        ['Importe', '$204.50'],
        ['Pagado el', '5\u00a0nov\u00a02026'],
        ['Pagado con', 'Visa terminada en 4242'],
        ['Cargo por pago devuelto', '$25.00'],
      ],
    });
  });
});
