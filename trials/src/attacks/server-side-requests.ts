import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@gatehouse/contract/endpoints';
import { isFault, isShed, type Call } from '../harness/client.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { idsWithPayLink } from '../harness/pay-links.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { textFields } from './text-fields.ts';

const LANES = 8;

/** Addresses of what a server must not fetch; `ours` listens. */
const targetsOf = (ours: string) => [
  `http://${ours}/zq`,
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
  'file:///etc/passwd',
  `gopher://${ours}/_GET%20/zq`,
  `ftp://${ours}/zq`,
  `//${ours}/zq`,
  `\\\\${ours}\\zq`,
  `dict://${ours}/zq`,
  `jar:http://${ours}/zq!/`,
  'http://metadata.google.internal/',
  `https://${ours}/zq.png`,
  `url(http://${ours}/zq)`,
  `<img src="http://${ours}/zq">`,
  `<!DOCTYPE x [<!ENTITY e SYSTEM "http://${ours}/zq">]><x>&e;</x>`,
];

/** Photos that name another place, in every way in which a picture's file can. */
const photosOf = (ours: string) => {
  const svg = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;
  const as = (type: string, text: string) =>
    `data:${type};base64,${Buffer.from(text).toString('base64')}`;
  return [
    as('image/svg+xml', svg(`<image xlink:href="http://${ours}/zq"/>`)),
    as('image/png', svg(`<image href="http://${ours}/zq" width="9" height="9"/>`)),
    as(
      'image/svg+xml',
      `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY e SYSTEM "http://${ours}/zq">]>${svg('&e;')}`,
    ),
    as('image/x-mvg', `push graphic-context\nfill 'url(http://${ours}/zq)'\npop graphic-context`),
    as('image/gif', `GIF89ahttp://${ours}/zq`),
    as('application/vnd.apple.mpegurl', `#EXTM3U\nhttp://${ours}/zq`),
    as('text/html', `<img src="http://${ours}/zq">`),
    as('application/pdf', `%PDF-1.7\n1 0 obj <</Type/Action/S/URI/URI(http://${ours}/zq)>>`),
    `data:http://${ours}/zq;base64,AAAA`,
  ];
};

/** T21: addresses in every field; no socket of the server leaves for any. */
export const serverSideRequests: Proof<{ targets: number }> = {
  name: 'T21',
  title: 'Addresses of other servers in every place for text, in photos and in headers',
  sizes: { small: { targets: 2 }, full: { targets: 16 } },
  async run(size, _seed, stage) {
    let visits = 0;
    const listener = createServer((socket) => {
      visits += 1;
      socket.destroy();
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const ours = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const egress = join(stage.folder, 'egress.log');
    const hook = new URL('../harness/egress-log.ts', import.meta.url).href;
    await using site = await openSite(stage, {
      env: { NODE_OPTIONS: `--import=${hook}`, EGRESS_LOG: egress },
    });
    const calls = [
      ...(await callsOf(site, targetsOf(ours), size.targets)),
      ...photoCalls(site, photosOf(ours)),
      ...headerCalls(site, ours),
    ];
    let faulty = 0;
    let shed = 0;
    await inLanes(calls.length, LANES, async (index) => {
      const answer = await site.send(calls[index]!);
      if (isFault(answer)) faulty += 1;
      if (isShed(answer)) shed += 1;
    });
    const gateway = new URL(site.simulator.url).host;
    const { hostname, port, searchParams } = new URL(site.db.url);
    const folder = searchParams.get('host') ?? hostname;
    const sockets = (await readFile(egress, 'utf8')).split('\n').filter((line) => line !== '');
    const toDatabase = sockets.filter(
      (to) => to.startsWith(folder) || to === `${hostname}:${port}`,
    );
    const toGateway = sockets.filter((to) => to.replace('localhost', '127.0.0.1') === gateway);
    const known = new Set([...toDatabase, ...toGateway]);
    const others = sockets.filter((to) => !known.has(to));
    for (const to of new Set(others)) stage.say(`  a socket to ${to}`);
    const figures = [
      reported('requests', calls.length),
      mustBe('answers of 500 and above, or none', faulty, 0),
      reported('requests shed', shed),
      // Else the log of sockets would not have seen any.
      mustBeAtLeast('sockets to the database', toDatabase.length, 1),
      mustBeAtLeast('sockets to the gateway', toGateway.length, 1),
      mustBe('sockets to anything else', others.length, 0),
      mustBe('visits of our listener', visits, 0),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
    listener.close();
    return figures;
  },
};

async function callsOf(site: Site, targets: string[], each: number): Promise<Call[]> {
  const { a } = site.actors;
  const ids = await idsWithPayLink(site, a.records[0]);
  return textFields(ids).flatMap((field, index) =>
    Array.from({ length: each }, (_, turn) =>
      callOf(field.name, ids, {
        token: a.token,
        body: field.with(targets[(index * each + turn) % targets.length]!),
      }),
    ),
  );
}

function photoCalls({ actors: { a } }: Site, photos: string[]): Call[] {
  const ids = idsOf(a.records[0]);
  const issue = { ledgerId: ids.ledgerId, issueType: 'door', issueDescription: 'It squeaks.' };
  return photos.flatMap((imageData) => [
    callOf('uploadImage', ids, { token: a.token, body: { imageData, file: 'gate.png' } }),
    callOf('createMaintenanceRequest', ids, {
      token: a.token,
      body: { ...issue, imageData, file: 'gate.png' },
    }),
  ]);
}

/**
 * What makes careless servers and proxies ask elsewhere, and a request that names the other server
 * itself.
 */
function headerCalls({ actors: { a } }: Site, ours: string): Call[] {
  const ids = idsOf(a.records[0]);
  const headers = {
    host: ours,
    'x-forwarded-host': ours,
    referer: `http://${ours}/zq`,
    origin: `http://${ours}`,
    'x-original-url': `http://${ours}/zq`,
    forwarded: `host=${ours};for=${ours}`,
    'x-forwarded-for': ours,
  };
  const names = ['getFacility', 'register', 'resendEsignDocuments'] as const;
  return names.flatMap((name) =>
    Object.entries(headers).map(([header, value]) => {
      const body =
        endpoints[name].method === 'GET'
          ? {}
          : { body: { email: a.email, locationCode: ids.locationCode, corporationCode: ids.corp } };
      return callOf(name, ids, { token: a.token, headers: { [header]: value }, ...body });
    }),
  );
}
