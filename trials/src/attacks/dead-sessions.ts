import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newBrowserKey } from '../harness/browser-key.ts';
import { inLanes } from '../harness/lanes.ts';
import { makeTenant } from '@gatehouse/server/src/seeds/builders.ts';
import { fromNow, testClock } from '@gatehouse/server/test/test-day.ts';
import { runCli } from '../harness/cli.ts';
import { jsonOf, openClient, type Client } from '../harness/client.ts';
import { mustBe, reported, type Proof } from '../harness/proof.ts';
import { makeSession, PASSWORD, type Person, type TenantRecord } from '../harness/actors.ts';
import { newestCodeTo, resetPassword } from '../harness/dead-tokens.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { changeRows } from '@gatehouse/server/test/rows.ts';

/** The ways in which a session ends before its time; each answers when it has ended. */
const endings: Record<string, (site: Site, person: Person, token: string) => Promise<unknown>> = {
  logout: (site, { records: [record] }, token) =>
    site.send(callOf('logout', idsOf(record), { token })),
  'a new password': (site, person) => resetPassword(site, person, PASSWORD),
  'disabling the user': ({ db }, { userId }) =>
    changeRows(db.owner, 'users', { disabled_at: testClock.now() }, { id: userId }),
};

/** The ways in which staff give a record another email, as commands. */
const moves: Record<string, (run: Run, record: TenantRecord) => Promise<void>> = {
  'tenants email': (run, { tenantId }) =>
    run(['tenants', 'email', '--tenant', tenantId, '--email', 'd-moved@example.com', '--by', 'T7']),
  async import(run, { tenantId, email }) {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-t7-'));
    await run(['export', join(folder, 'before')]);
    const [header, ...rows] = (await readFile(join(folder, 'before', 'tenants.csv'), 'utf8')).split(
      '\n',
    );
    const row = rows
      .find((one) => one.includes(tenantId))!
      .replace(`,${email},`, ',d-imported@example.com,');
    await mkdir(join(folder, 'after'));
    await writeFile(join(folder, 'after', 'tenants.csv'), `${header}\n${row}\n`);
    await run(['import', join(folder, 'after')]);
    await rm(folder, { recursive: true });
  },
};
type Run = (command: string[]) => Promise<void>;

/**
 * How many of these reach a record after staff gave it another email, each record in another way:
 * the sessions from before, a sign-in by the old address, and the next owner of that address and
 * rents at the same place. Each try is one call; the new owner's own record must open, else the
 * tries would show nothing.
 */
async function reachByOldAddress(
  site: Site,
  connections: number,
): Promise<{ reached: number; ownOpened: number }> {
  const { d, here } = site.actors;
  const moved = d.records;
  const read = (tenantId: string, token: string) => ({
    ...callOf('getTenant', { ...idsOf(moved[0]), tenantId }),
    token,
  });
  const clients = Array.from({ length: connections }, (_, index) =>
    openClient(site.addresses[index % 2]!),
  );
  const before = await makeSession(site.db.owner, d.userId, here);
  const env = { DATABASE_URL: site.db.url, DATA_DIR: site.photoFolder };
  const run: Run = async (command) => {
    const { code, out, err } = await runCli(command, env);
    if (code !== 0) throw new Error(`${command.join(' ')} failed: ${out}${err}`);
  };
  for (const [index, move] of Object.values(moves).entries()) await move(run, moved[index]!);
  const tryAll = async (token: string) => {
    let opened = 0;
    for (const client of clients)
      for (const { tenantId } of moved)
        if ((await client.send(read(tenantId, token))).status === 200) opened += 1;
    return opened;
  };
  let reached = await tryAll(before);
  if ((await signInAs(site, d)).status === 200) reached += 1;
  const next = await makeTenant(site.db.owner, { facility_id: here.facilityId, email: d.email });
  await resetPassword(site, d, PASSWORD);
  const { token, tenants } = jsonOf(await signInAs(site, d)) as SignedIn;
  if (tenants.some(({ id }) => id !== next)) reached += 1;
  reached += await tryAll(token);
  const ownOpened = (await clients[0]!.send(read(next, token))).status === 200 ? 1 : 0;
  // As by a database shell: the record's address changes, its link and the session stay.
  const changed = site.db.owner.updateTable('tenants').set({ email: 'd-again@example.com' });
  await changed.where('id', '=', next).execute();
  if ((await clients[0]!.send(read(next, token))).status === 200) reached += 1;
  for (const client of clients) client.close();
  return { reached, ownOpened };
}

/**
 * A bound token in many connections (decision 37): how often it opened with the proof of its
 * browser, and how often a copy of it opened without one, with a proof of another browser and with
 * an old one.
 */
async function useCopiedToken(site: Site, connections: number) {
  const { b } = site.actors;
  await resetPassword(site, b, PASSWORD);
  const [browser, other] = [newBrowserKey(), newBrowserKey()];
  const { token } = jsonOf(await signInAs(site, b, browser.proofKey)) as SignedIn;
  const read = { ...callOf('getTenant', idsOf(b.records[0])), token };
  const tenMinutesAgo = fromNow(-600_000);
  const copies = [{}, other.prove(token), browser.prove(token, tenMinutesAgo)];
  let [own, copied] = [0, 0];
  for (let index = 0; index < connections; index += 1) {
    const client = openClient(site.addresses[index % 2]!);
    // Its proof was verified by this process before the copies come.
    if ((await client.send({ ...read, headers: browser.prove(token) })).status === 200) own += 1;
    for (const headers of copies)
      if ((await client.send({ ...read, headers })).status !== 401) copied += 1;
    client.close();
  }
  return { own, copied };
}

/**
 * Codes in flight, one of a stranger and one on a device, and a verified token, when a new password
 * is set: how many of them still work afterwards.
 */
async function useOldCodes(site: Site): Promise<number> {
  const { c } = site.actors;
  const ids = idsOf(c.records[0]);
  const { corp: corporationCode, locationCode } = c.records[0].place;
  const { device } = jsonOf(await signInAs(site, c)) as SignedIn;
  const open: { token: string; code: string }[] = [];
  for (const body of [{}, { device }, {}]) {
    const lookup = { email: c.email, locationCode, corporationCode, ...body };
    const { token } = jsonOf(await site.send(callOf('register', ids, { body: lookup }))) as {
      token: string;
    };
    open.push({ token, code: await newestCodeTo(site.db, c.email) });
  }
  const verify = async ({ token, code }: { token: string; code: string }) => {
    const body = { token, code, corporationCode };
    return (jsonOf(await site.send(callOf('verify', ids, { body }))) as { success: boolean })
      .success;
  };
  const verified = open.pop()!;
  if (!(await verify(verified))) throw new Error('the code was not right');
  await resetPassword(site, c, PASSWORD);
  let working = 0;
  for (const one of open) if (await verify(one)) working += 1;
  const body = { token: verified.token, password: PASSWORD, corporationCode };
  if ((await site.send(callOf('updatePassword', ids, { body }))).status === 200) working += 1;
  return working;
}

type SignedIn = { token: string; device: string; tenants: { id: string }[] };

function signInAs(site: Site, { email, records: [record] }: Person, proofKey?: string) {
  const { corp: corporationCode, locationCode } = record.place;
  const body = { username: email, password: PASSWORD, locationCode, corporationCode, proofKey };
  return site.send(callOf('login', idsOf(record), { body }));
}

/**
 * T7: sessions that were ended, in every connection that is open, copies of a bound token, and a
 * record whose email changed.
 */
export const deadSessions: Proof<{ connections: number }> = {
  name: 'T7',
  title:
    'A token is used in many open connections to two servers, ended, and used in all of them again',
  sizes: { small: { connections: 20 }, full: { connections: 500 } },
  async run({ connections }, _seed, stage) {
    await using site = await openSite(stage, { servers: 2 });
    const { a, here } = site.actors;
    const read = callOf('getTenant', idsOf(a.records[0]));
    const count = async (clients: Client[], token: string, status: number) => {
      let answered = 0;
      // More at once than a server takes it would turn away for the load.
      await inLanes(clients.length, 100, async (index) => {
        if ((await clients[index]!.send({ ...read, token })).status === status) answered += 1;
      });
      return answered;
    };
    let live = 0;
    let dead = 0;
    let others = 0;
    for (const [ending, end] of Object.entries(endings)) {
      const [token, other] = [
        await makeSession(site.db.owner, a.userId, here),
        await makeSession(site.db.owner, a.userId, here),
      ];
      const clients = Array.from({ length: connections }, (_, index) =>
        openClient(site.addresses[index % 2]!),
      );
      live += await count(clients, token, 200);
      await end(site, a, token);
      dead += await count(clients, token, 401);
      // A logout ends one session; the other two end them all.
      const isOtherAlive = (await count([clients[0]!], other, 200)) === 1;
      if (isOtherAlive === (ending === 'logout')) others += 1;
      for (const client of clients) client.close();
    }
    const { own, copied } = await useCopiedToken(site, connections);
    const { reached, ownOpened } = await reachByOldAddress(site, connections);
    const oldCodes = await useOldCodes(site);
    const ways = Object.keys(endings).length;
    return [
      reported('ways to end a session', ways),
      mustBe('open connections in which the token worked before', live, ways * connections),
      mustBe('of them those in which it is dead after the answer', dead, ways * connections),
      mustBe('ways that ended exactly the sessions they should', others, ways),
      mustBe('reads by a bound token with the proof of its browser', own, connections),
      mustBe('reads by a copy of it, without a proof or with a wrong one', copied, 0),
      mustBe('codes and tokens of before a new password that still worked', oldCodes, 0),
      reported('ways in which staff give a record another email', Object.keys(moves).length),
      mustBe('calls that reached a record by an address that it has no more', reached, 0),
      mustBe('records that the next owner of the address opened, of its own', ownOpened, 1),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};
