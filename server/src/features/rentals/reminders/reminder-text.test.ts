import { expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { codeText, welcomeText } from '#features/service/texts/consent-text.ts';
import { toGsm } from '#features/service/texts/gsm.ts';
import { reminderText, type TextedReminder } from './reminder-text.ts';

const reminder: TextedReminder = {
  kind: 'rent_today',
  on: '2026-12-01',
  cents: 15_000,
  payBy: '2026-12-05',
  facilityName: 'Anchor & Axle Eagle Mountain',
  url: 'https://pay.example.com/billing-info',
};

test.each<[string, Partial<TextedReminder>, string]>([
  ['rent that is due soon', { kind: 'rent_soon' }, '$150.00 is due on 12/1/2026.'],
  ['rent that is due today', { kind: 'rent_today' }, '$150.00 is due today, 12/1/2026.'],
  ['a gate', { kind: 'gate_soon' }, 'pay $150.00 by 12/5/2026 to keep your gate code.'],
])('the text about %s says who, how much, when and where, and how it ends', (_, row, said) => {
  expect(reminderText({ ...reminder, ...row })).toBe(
    `Anchor & Axle Eagle Mountain: ${said} ${reminder.url} Reply STOP to end`,
  );
});

// spec 10.68
test('it is one message of 160 characters, for which the facility’s name is cut', () => {
  const url = `https://portal.anchor-axle.example/pay/rpt_${'A'.repeat(40)}`;
  const text = reminderText({ ...reminder, url });
  expect(text.length).toBeLessThanOrEqual(160);
  expect(text).toContain(`: $150.00 is due today, 12/1/2026. ${url} Reply STOP to end`);
  expect(text).toMatch(/^Anchor & Axle/);
});

test('where the address leaves no room for that it is two, with the whole name', () => {
  const url = `https://portal.anchor-axle.example/pay/rpt_${'A'.repeat(70)}`;
  const text = reminderText({ ...reminder, facilityName: 'Lakeside’s RV', url });
  expect(text.endsWith(`${url} Reply STOP to end`)).toBe(true);
  expect(text.startsWith("Lakeside's RV: ")).toBe(true);
});

test.each<[string, Partial<TextedReminder>, string]>([
  ['rent that is due soon', { kind: 'rent_soon' }, '$150.00 vence el 1 dic 2026.'],
  ['rent that is due today', { kind: 'rent_today' }, '$150.00 vence hoy, 1 dic 2026.'],
  [
    'a gate',
    { kind: 'gate_soon' },
    'pague $150.00 a mas tardar el 5 dic 2026 para usar el porton.',
  ],
])('the text about %s in Spanish is one message in its letters', (_, row, said) => {
  const text = toGsm(inLanguage('es', () => reminderText({ ...reminder, ...row })));
  expect(text).toBe(
    `Anchor & Axle Eagle Mountain: ${said} ${reminder.url} Envie STOP para cancelar`,
  );
  expect(text.length).toBeLessThanOrEqual(160);
});

test('with a long address it is one message in Spanish too, for large sums and long months', () => {
  const url = `https://portal.anchor-axle.example/pay/rpt_${'A'.repeat(40)}`;
  const row = { ...reminder, on: '2026-09-12', cents: 150_000, url };
  const text = toGsm(inLanguage('es', () => reminderText(row)));
  expect(text).toBe(
    `Anchor & Axle: $1,500.00 vence hoy, 12 sept 2026. ${url} Envie STOP para cancelar`,
  );
  expect(text.length).toBeLessThanOrEqual(160);
});

test('a code and a welcome in Spanish are one message each', () => {
  const texting = { ...reminder, operatorName: 'Gatehouse', facilityPhone: null, phone: '' };
  for (const body of [() => codeText(texting, '01234567', 10), () => welcomeText(texting)]) {
    const text = toGsm(inLanguage('es', body));
    expect(text).toContain('recordatorios por texto');
    expect(text.length).toBeLessThanOrEqual(160);
  }
});
