import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { notePayment } from '#api/sent-payment.ts';
import { NotFound } from './error-page.tsx';

beforeEach(() => void vi.stubGlobal('history', { length: 2 }));
afterEach(() => {
  notePayment(null);
  vi.unstubAllGlobals();
});

const textsOf = (html: string) =>
  html
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter(Boolean);

it('shows its message as the heading', () => {
  const html = renderToStaticMarkup(<NotFound />);
  expect(textsOf(html)).toEqual([
    '404',
    'Not Found',
    'We could not find that page.',
    'The address may be mistyped, or the page may have moved.',
    'Go back',
    'Return Home',
  ]);
});

it('after a payment shows what became of it, and its message below', () => {
  notePayment('Your payment was received.');
  const html = renderToStaticMarkup(<NotFound />);
  expect(html).toMatch(/<h1[^>]*>Your payment was received\.<\/h1>/);
  expect(textsOf(html).slice(2, 4)).toEqual([
    'Your payment was received.',
    'We could not find that page.',
  ]);
});
