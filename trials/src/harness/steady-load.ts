const TICK_MS = 10;

/**
 * Requests at a steady rate, which does not wait for answers, as tenants do not wait for each
 * other. With `mostAtOnce`, as at small sizes, the rate gives way on a machine that is too busy
 * for it. `send` must not throw.
 */
export class SteadyLoad {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #timer: NodeJS.Timeout;
  /** Requests that were begun. */
  sent = 0;

  constructor(
    perSecond: number,
    send: (number: number) => Promise<unknown>,
    mostAtOnce = Infinity,
  ) {
    const begun = performance.now();
    this.#timer = setInterval(() => {
      const due = ((performance.now() - begun) * perSecond) / 1000;
      for (; this.sent < due && this.#underWay.size < mostAtOnce; this.sent += 1) {
        const one = send(this.sent).finally(() => this.#underWay.delete(one));
        this.#underWay.add(one);
      }
    }, TICK_MS);
  }

  /** Begins no further one and waits for those under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
  }
}
