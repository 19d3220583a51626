import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

const names: Record<string, string> = {
  '/login': 'login.html',
  '/': 'units.html',
  '/login.js': 'login.js',
  '/units.js': 'units.js',
};

type File = { headers: OutgoingHttpHeaders; body: Buffer };

/**
 * Serves the floor: two pages written by hand, sign-in and My Units, compressed beforehand, over
 * the API of the server at `apiPort` and with the headers of its pages, since a browser works for
 * some of them.
 */
export async function serveFloor(
  apiPort: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const { headers } = await fetch(`http://127.0.0.1:${apiPort}/login`);
  const files = new Map(
    Object.entries(names).map(([path, name]) => [path, makeFile(name, headers)]),
  );
  const server = createServer((asked, answer) => {
    const file = files.get(asked.url ?? '');
    if (file === undefined) passOn(asked, answer, apiPort);
    else answer.writeHead(200, file.headers).end(file.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function makeFile(name: string, pageHeaders: Headers): File {
  const style = read('style.css');
  const units = /<body[^>]*>(.*)<script/s.exec(read('units.html'))![1]!;
  // A page has its style inside; the one to sign in on has the other page's content too, which it
  // becomes.
  const text = read(name)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<template></template>', () => `<template>${units}</template>`);
  const body = brotliCompressSync(text);
  const hash = createHash('sha256').update(style).digest('base64');
  const {
    etag: _etag,
    'last-modified': _changed,
    'content-length': _length,
    ...shared
  } = Object.fromEntries(pageHeaders);
  const headers = {
    ...shared,
    'content-type': name.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': body.length,
    'content-security-policy': shared['content-security-policy']?.replace(
      "style-src 'self'",
      `style-src 'self' 'sha256-${hash}'`,
    ),
  };
  return { headers, body };
}

function read(name: string): string {
  return readFileSync(new URL(`../../floor/${name}`, import.meta.url), 'utf8');
}

function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url, headers } = asked;
  const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 502, from.headers);
    from.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
}
