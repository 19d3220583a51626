import { afterEach, expect, it, vi } from 'vitest';
import { uploadTransport } from './upload.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['', []],
  [
    'content-type: application/json\r\nretry-after: 5\r\n',
    [
      ['content-type', 'application/json'],
      ['retry-after', '5'],
    ],
  ],
])('answers with the headers %j', async (headers, pairs) => {
  class Request {
    upload = {};
    status = 502;
    responseText = '';
    onload = () => {};
    open() {}
    setRequestHeader() {}
    getAllResponseHeaders = () => headers;
    send = () => this.onload();
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  const init = { method: 'POST', headers: new Headers(), signal: new AbortController().signal };
  const answer = await uploadTransport(() => {})('/api', { ...init, body: '{}' });
  expect([...answer.headers]).toEqual(pairs);
});
