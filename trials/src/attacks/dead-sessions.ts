import { inLanes } from '../harness/lanes.ts';
import { openClient, type Client } from '../harness/client.ts';
import { mustBe, reported, type Proof } from '../harness/proof.ts';
import { makeSession, PASSWORD, type Person } from '../harness/cast.ts';
import { resetPassword } from '../harness/dead-tokens.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';

/** The ways in which a session ends before its time; each answers when it has ended. */
const endings: Record<string, (site: Site, person: Person, token: string) => Promise<unknown>> = {
  logout: (site, { records: [record] }, token) => site.send(callOf('logout', idsOf(record), { token })),
  'a new password': (site, person) => resetPassword(site, person, PASSWORD),
  'disabling the user': ({ db }, { userId }) =>
    db.owner.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute(),
};

/** T7: sessions that were ended, in every connection that is open. */
export const deadSessions: Proof<{ connections: number }> = {
  name: 'T7',
  title: 'A token is used in many open connections to two servers, ended, and used in all of them again',
  sizes: { small: { connections: 20 }, full: { connections: 500 } },
  async run({ connections }, _seed, stage) {
    await using site = await openSite(stage, { servers: 2 });
    const { a, here } = site.cast;
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
      const clients = Array.from({ length: connections }, (_, index) => openClient(site.addresses[index % 2]!));
      live += await count(clients, token, 200);
      await end(site, a, token);
      dead += await count(clients, token, 401);
      // A logout ends one session; the other two end them all.
      const isOtherAlive = (await count([clients[0]!], other, 200)) === 1;
      if (isOtherAlive === (ending === 'logout')) others += 1;
      for (const client of clients) client.close();
    }
    const ways = Object.keys(endings).length;
    return [
      reported('ways to end a session', ways),
      mustBe('open connections in which the token worked before', live, ways * connections),
      mustBe('of them those in which it is dead after the answer', dead, ways * connections),
      mustBe('ways that ended exactly the sessions they should', others, ways),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};
