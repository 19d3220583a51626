import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** A call that records its start. */
class Call {
  readonly client: string;
  isRunning = false;
  constructor(client: string) {
    this.client = client;
  }
  start = () => void (this.isRunning = true);
}

/** A queue with the calls that were added to it and have not ended. */
class Site {
  readonly queue: FairQueue<Call>;
  calls: Call[] = [];
  constructor(atOnce: number, each = Infinity) {
    this.queue = new FairQueue({ atOnce, each });
  }

  add(client: string): Call {
    const call = new Call(client);
    this.calls.push(call);
    this.queue.add(call);
    return call;
  }

  running(client?: string): Call[] {
    return this.calls.filter((call) => call.isRunning && (client ?? call.client) === call.client);
  }

  waiting(client?: string): Call[] {
    return this.calls.filter((call) => !call.isRunning && (client ?? call.client) === call.client);
  }

  /** Ends or removes a call. */
  leave(call: Call): void {
    this.calls = this.calls.filter((one) => one !== call);
    if (call.isRunning) this.queue.end(call.client);
    else this.queue.remove(call);
  }

  /** Ends one of the running calls, as chosen by the number; of this client where one is named. */
  endOne(chosen: number, client?: string): void {
    const running = this.running(client);
    this.leave(running[chosen % running.length]!);
  }
}

const clients = ['a', 'b', 'c', 'd'];
const places = fc.integer({ min: 1, max: 8 });
const choice = fc.nat(1000);
const steps = fc.array(
  fc.record({
    does: fc.constantFrom('add', 'add', 'end', 'remove'),
    client: fc.constantFrom(...clients),
    chosen: choice,
  }),
  { maxLength: 80 },
);

describe('places that clients share', () => {
  test('are never more than there are, never free while a call that may run waits, and all freed at the end', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 9 }), steps, (atOnce, each, all) => {
        const site = new Site(atOnce, each);
        for (const { does, client, chosen } of all) {
          if (does === 'add') site.add(client);
          else if (does === 'end' && site.running().length > 0) site.endOne(chosen);
          else if (does === 'remove' && site.waiting().length > 0)
            site.leave(site.waiting()[chosen % site.waiting().length]!);
          const running = site.running().length;
          expect([site.queue.running, site.queue.waiting]).toEqual([
            running,
            site.waiting().length,
          ]);
          expect(running).toBeLessThanOrEqual(atOnce);
          for (const one of clients) {
            const own = site.running(one).length;
            expect(own).toBeLessThanOrEqual(each);
            if (site.waiting(one).length > 0) expect(running === atOnce || own === each).toBe(true);
          }
          expect(site.queue.clients).toBe(new Set(site.calls.map((call) => call.client)).size);
        }
        while (site.running().length > 0) site.endOne(0);
        expect([site.queue.running, site.queue.waiting, site.queue.clients]).toEqual([0, 0, 0]);
      }),
    );
  });

  test('go to the waiting client with the fewest calls in progress, and its calls start in order', () => {
    fc.assert(
      fc.property(places, fc.array(fc.constantFrom(...clients)), choice, (atOnce, all, chosen) => {
        const site = new Site(atOnce);
        for (const client of all) site.add(client);
        for (let nth = chosen; site.waiting().length > 0; nth += 7) {
          const before = new Set(site.running());
          const ended = site.running()[nth % before.size]!;
          const least = Math.min(
            ...clients
              .filter((client) => site.waiting(client).length > 0)
              .map((client) => site.running(client).filter((call) => call !== ended).length),
          );
          const firsts = clients.map((client) => site.waiting(client)[0]);
          site.leave(ended);
          const [started] = site.running().filter((call) => !before.has(call));
          expect(firsts).toContain(started);
          expect(site.running(started!.client).length - 1).toBe(least);
        }
      }),
    );
  });

  test('of two clients that always have calls waiting each has its half, once the calls of before have ended', () => {
    fc.assert(
      fc.property(places, fc.array(choice, { minLength: 40, maxLength: 80 }), (atOnce, all) => {
        const site = new Site(atOnce);
        const fill = () => {
          for (const client of ['flood', 'other'])
            while (site.waiting(client).length < atOnce) site.add(client);
        };
        while (site.running().length < atOnce) site.add('flood');
        fill();
        for (const [nth, chosen] of all.entries()) {
          // At first those of the flood end, which had the places to itself.
          site.endOne(
            chosen,
            nth < atOnce && site.running('flood').length > 0 ? 'flood' : undefined,
          );
          fill();
          if (nth >= atOnce)
            expect(site.running('other').length).toBeGreaterThanOrEqual(Math.floor(atOnce / 2));
        }
      }),
    );
  });

  test('are all one client’s while no other waits', () => {
    const site = new Site(6);
    for (let nth = 0; nth < 9; nth += 1) site.add('alone');
    expect([site.running().length, site.waiting().length]).toEqual([6, 3]);
  });

  test('one place passes from client to client, so that a backlog delays another’s call by one of its own', () => {
    const site = new Site(1);
    for (let nth = 0; nth < 5; nth += 1) site.add('backlog');
    const call = site.add('other');
    site.endOne(0);
    site.endOne(0);
    expect(call.isRunning).toBe(true);
  });

  test('no client waits for ever: one that has no call in progress starts before all that come later, also of new clients', () => {
    fc.assert(
      fc.property(
        places,
        fc.array(fc.constantFrom(...clients), { maxLength: 40 }),
        fc.array(fc.record({ chosen: choice, isNew: fc.boolean() }), {
          minLength: 60,
          maxLength: 60,
        }),
        (atOnce, before, after) => {
          const site = new Site(atOnce);
          for (const client of before) site.add(client);
          const ahead = new Set(before).size;
          const call = site.add('patient');
          let places = 0;
          for (const [nth, { chosen, isNew }] of after.entries()) {
            if (call.isRunning) break;
            // Three come for each that ends.
            for (let more = 0; more < 3; more += 1)
              site.add(isNew ? `new ${nth} ${more}` : clients[(chosen + more) % clients.length]!);
            site.endOne(chosen);
            places += 1;
          }
          expect(call.isRunning).toBe(true);
          expect(places).toBeLessThanOrEqual(ahead + 1);
        },
      ),
    );
  });
});

describe('of a queue that is full', () => {
  test('the newest call of the client that waits with the most is removed, and never for the sake of one that waits with as many', () => {
    const site = new Site(1);
    site.add('flood');
    const [, second] = [site.add('flood'), site.add('flood')];
    site.add('other');
    expect(['flood', 'other', 'new'].map((one) => site.queue.waitsLess(one))).toEqual([
      false,
      false,
      true,
    ]);
    expect(site.queue.removeNewest()).toBe(second);
    expect(site.queue.waitsLess('new')).toBe(false);
  });

  test('a client has less than another if it would still have less with all that it waits for and one more', () => {
    const site = new Site(3);
    for (let nth = 0; nth < 3; nth += 1) site.add('flood');
    expect([site.queue.hasLess('flood'), site.queue.hasLess('other')]).toEqual([false, true]);
    site.add('other');
    expect(site.queue.hasLess('other')).toBe(true);
    site.add('other');
    expect(site.queue.hasLess('other')).toBe(false);
  });
});

test('work runs in a place, which is freed also where it fails', async () => {
  const queue = new FairQueue({ atOnce: 1 });
  const failing = queue.run('a', () => Promise.reject(new Error('no')));
  const next = queue.run('a', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(queue.clients).toBe(0);
});
