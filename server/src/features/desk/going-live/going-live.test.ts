import { once } from 'node:events';
import { createServer as createPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { getGoingLive } from '@gatehouse/contract/office/going-live';
import type { Reply } from '@gatehouse/contract/endpoint';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '#config/config.ts';
import { useTestApp } from '#test/app.ts';
import { testClockShift } from '#test/test-day.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { unsignedCertificate } from '#test/unsigned-certificate.ts';
import { examineGoingLive } from './checks.ts';

const api = useTestApp('demo_template');

function examined(change: Partial<Config> = {}) {
  return examineGoingLive({
    config: { ...api.ctx.config, clockShiftMs: testClockShift(), ...change },
    prepared: () => Promise.resolve(api.ctx.db),
    gateway: () => Promise.resolve(api.ctx.gateway),
  });
}

async function about(subject: string, change: Partial<Config>) {
  return (await examined(change)).filter((found) => found.subject === subject);
}

test('the page has the whole list of the guide, and a sandbox that is set up has nothing to do', async () => {
  const as = await signInStaff(api, 'owner');
  const { body } = await callOffice(api, 'GET', getGoingLive.path, { as });
  const { isLive, steps } = body as Reply<typeof getGoingLive>;
  expect(isLive).toBe(false);
  expect(steps.map(({ subject, level, todo }) => [subject, level, todo])).toEqual(
    ['characters', 'operator', 'owner', 'mail', 'gateway', 'address', 'office', 'backups'].map(
      (subject) => [subject, 'ok', null],
    ),
  );
});

test('each step that is missing in the live profile is a fault with its remedy', async () => {
  const found = await examined({
    profile: 'live',
    publicUrl: 'https://127.0.0.1:1',
    office: null,
    smtpUrl: 'smtp://user:pass-word@127.0.0.1:1',
  });
  const faults = found.filter(({ level }) => level === 'fault');
  expect(faults.map(({ subject, says, todo }) => [subject, says, todo])).toEqual([
    ['mail', expect.stringContaining('ESOCKET'), expect.stringContaining('SMTP_URL')],
    ['gateway', expect.any(String), 'Set PAYMENTS=stripe.'],
    ['address', expect.stringContaining('ECONNREFUSED'), expect.stringContaining('PUBLIC_URL')],
    [
      'office',
      'No office is served: OFFICE_URL is not set.',
      expect.stringContaining('OFFICE_URL'),
    ],
    ['backups', 'None was ever made of this database.', expect.stringContaining('backup')],
  ]);
  expect(JSON.stringify(found)).not.toContain('pass-word');
});

/** A server that answers every page with a status. */
async function serve(server: Server | ReturnType<typeof createPlain>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('another site in place of the office is a fault', async () => {
  const port = await serve(createPlain((_, response) => response.writeHead(404).end()));
  const office = { url: `http://127.0.0.1:${port}`, isApart: true };
  expect(await about('office', { profile: 'live', office })).toMatchObject([
    { level: 'fault', says: `${office.url}/office/ answers 404 instead of the office.` },
  ]);
});

test('a certificate that is not trusted is a fault, and one that ends soon a warning', async () => {
  const port = await serve(createServer(unsignedCertificate, (_, response) => response.end('ok')));
  const office = { url: `https://127.0.0.1:${port}`, isApart: true };
  const found = (change: Partial<Config>) =>
    about('office', { profile: 'live', office, ...change });
  expect(await found({})).toMatchObject([
    { level: 'fault', says: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string },
  ]);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, unsignedCertificate.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  expect(await found({})).toMatchObject([{ level: 'ok' }]);
  const ahead = Date.parse('2126-10-20T19:34:16Z') - api.ctx.clock.now().getTime();
  const clockShiftMs = testClockShift() + ahead;
  expect(await found({ clockShiftMs })).toMatchObject([
    {
      level: 'warning',
      says: expect.stringMatching(/its certificate ends in \d+ days\.$/) as string,
    },
  ]);
});

test('only an owner sees it', async () => {
  const as = await signInStaff(api, 'manager');
  expect((await callOffice(api, 'GET', getGoingLive.path, { as })).status).toBe(403);
});
