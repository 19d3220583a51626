import { expect, it } from 'vitest';
import { pageStyle } from '../../vite-page-style.ts';

const of = (sheet: string, classes: string) =>
  pageStyle(sheet, `<html><p class="${classes}">x</p></html>`);

it('keeps the rules of the page’s own classes and of no class, in their order and layers', () => {
  const sheet =
    '@layer base{h1{margin:0}}@layer components;@layer utilities{.a{top:0}.b{top:1px}' +
    '@media (width>=40rem){.sm\\:c{top:2px}.sm\\:d{top:3px}}}';
  expect(of(sheet, 'b sm:c')).toBe(
    '@layer base{h1{margin:0}}@layer components;@layer utilities{.b{top:1px}' +
      '@media (width>=40rem){.sm\\:c{top:2px}}}',
  );
});

it('keeps of a list the selectors whose every class is there', () => {
  expect(of('.a,.b .c,.d:is(.e,p){top:0}', 'a b d')).toBe('.a{top:0}');
  expect(of('.\\[\\&\\>p\\]\\:m\\,x>p{top:0}', '[&amp;&gt;p]:m,x')).toBe(
    '.\\[\\&\\>p\\]\\:m\\,x>p{top:0}',
  );
});

it('drops variables, animations and media that nothing on the page uses', () => {
  const sheet =
    ':root{--a:var(--b);--b:1px;--c:var(--d);--d:2px}.a{top:var(--a);animation:spin 1s}.z{top:var(--c)}' +
    '@property --a{syntax:"*"}@property --c{syntax:"*"}' +
    '@keyframes spin{to{rotate:1turn}}@keyframes lit{to{top:0}}@media print{p{top:0}}';
  expect(of(sheet, 'a')).toBe(
    ':root{--a:var(--b);--b:1px}.a{top:var(--a);animation:spin 1s}@property --a{syntax:"*"}' +
      '@keyframes spin{to{rotate:1turn}}',
  );
});

it('is not misled by what stands in quotes', () => {
  expect(of('.a:before{content:"};{"}.b{top:0}', 'a')).toBe('.a:before{content:"};{"}');
});

it('keeps what the script in the HTML switches on', () => {
  expect(of('.several-records #record{display:block}', 'a')).toBe(
    '.several-records #record{display:block}',
  );
});
