import { expect, test } from 'vitest';
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
