import type { SentRequest, Transport } from './call.ts';

/**
 * Sends a request and reports how much of its body is sent, from 0 to 1, which `fetch` cannot do.
 */
export function uploadTransport(onProgress: (share: number) => void): Transport {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      open(request, url, init);
      request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total);
      request.onload = () =>
        resolve({
          status: request.status,
          headers: headersOf(request),
          text: () => Promise.resolve(request.responseText),
        });
      const fail = () => reject(new TypeError('the request brought no answer'));
      request.onerror = fail;
      request.onabort = fail;
      init.signal.addEventListener('abort', () => request.abort());
      request.send(init.body as string);
    });
}

function open(
  request: XMLHttpRequest,
  url: string,
  { method = 'GET', headers }: SentRequest,
): void {
  request.open(method, url);
  headers.forEach((value, name) => request.setRequestHeader(name, value));
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().split('\r\n').filter(Boolean);
  return new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
}
