/** A call that waits for a place or holds one; `start` is called when it gets its place. */
export type Call = { readonly client: string; readonly start: () => void };

type Client<C> = {
  running: number;
  /** In the order in which they came. */
  waiting: C[];
  /** When the client got its last place or, before the first, when it came. */
  turn: number;
};

/**
 * Places that are shared by client: `atOnce` of them, of which one client has `each` at most. A
 * free place goes to the waiting client with the fewest calls in progress; of several, to the one
 * whose last turn is longest ago, so that every client's turn comes. Without `each` a client by
 * itself may have all places.
 */
export class FairQueue<C extends Call = Call> {
  readonly #atOnce: number;
  readonly #each: number;
  /** Those with a call that waits or runs. */
  readonly #clients = new Map<string, Client<C>>();
  #turns = 0;
  #running = 0;
  #waiting = 0;

  constructor({ atOnce = Infinity, each = Infinity }: { atOnce?: number; each?: number }) {
    this.#atOnce = atOnce;
    this.#each = each;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** The number of clients with a call that waits or runs. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Starts a call at once, or when its client's turn comes. */
  add(call: C): void {
    let client = this.#clients.get(call.client);
    if (client === undefined) {
      client = { running: 0, waiting: [], turn: this.#turns++ };
      this.#clients.set(call.client, client);
    }
    client.waiting.push(call);
    this.#waiting += 1;
    this.#startNext();
  }

  /** Removes a call that waits. */
  remove(call: C): void {
    const client = this.#clients.get(call.client);
    const index = client?.waiting.indexOf(call) ?? -1;
    if (client === undefined || index < 0) return;
    client.waiting.splice(index, 1);
    this.#waiting -= 1;
    this.#forgetIfIdle(call.client, client);
  }

  /** Frees the place of a call of this client that was started. */
  end(name: string): void {
    const client = this.#clients.get(name);
    if (client === undefined || client.running === 0) throw new Error('the client has no place');
    client.running -= 1;
    this.#running -= 1;
    this.#forgetIfIdle(name, client);
    this.#startNext();
  }

  /** Runs the work of a client in a place. */
  async run<Answer>(this: FairQueue, client: string, work: () => Promise<Answer>): Promise<Answer> {
    await new Promise<void>((start) => this.add({ client, start }));
    try {
      return await work();
    } finally {
      this.end(client);
    }
  }

  /** Whether another client waits with more calls than this one would with one more. */
  waitsLess(name: string): boolean {
    const own = (this.#clients.get(name)?.waiting.length ?? 0) + 1;
    return this.#some(({ waiting }) => waiting.length > own);
  }

  /**
   * Whether another client has more places than this one would if it got all that it waits for and
   * one more.
   */
  hasLess(name: string): boolean {
    const { running = 0, waiting = [] } = this.#clients.get(name) ?? {};
    const own = running + waiting.length + 1;
    return this.#some((client) => client.running > own);
  }

  /** Removes and returns the newest call of the client that waits with the most. */
  removeNewest(): C | undefined {
    let most: Client<C> | undefined;
    for (const client of this.#clients.values())
      if (client.waiting.length > (most?.waiting.length ?? 0)) most = client;
    const call = most?.waiting.at(-1);
    if (call !== undefined) this.remove(call);
    return call;
  }

  #some(isTrue: (client: Client<C>) => boolean): boolean {
    for (const client of this.#clients.values()) if (isTrue(client)) return true;
    return false;
  }

  #startNext(): void {
    while (this.#running < this.#atOnce && this.#waiting > 0) {
      const client = this.#next();
      if (client === undefined) return;
      const call = client.waiting.shift()!;
      client.running += 1;
      client.turn = this.#turns++;
      this.#running += 1;
      this.#waiting -= 1;
      call.start();
    }
  }

  #next(): Client<C> | undefined {
    let next: Client<C> | undefined;
    for (const client of this.#clients.values())
      if (client.waiting.length > 0 && client.running < this.#each && isBefore(client, next))
        next = client;
    return next;
  }

  #forgetIfIdle(name: string, { running, waiting }: Client<C>): void {
    if (running === 0 && waiting.length === 0) this.#clients.delete(name);
  }
}

function isBefore<C>(client: Client<C>, other: Client<C> | undefined): boolean {
  if (other === undefined || client.running !== other.running)
    return other === undefined || client.running < other.running;
  return client.turn < other.turn;
}
