import { expect, test } from 'vitest';
import { endpoints } from '@gatehouse/contract/endpoints';
import { useTestApp } from './app.ts';

const api = useTestApp('empty_template');

test('the page of the API has every call of the contract, without a script', async () => {
  const { statusCode, headers, body } = await api.app.inject({ url: '/docs' });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(body).not.toContain('<script');
  const missing = Object.values(endpoints).filter(
    ({ name }) => !body.includes(`<details id="${name}"`),
  );
  expect(missing).toEqual([]);
});
