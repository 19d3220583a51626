import { startApp, type AppProcess, type AppSettings } from './app-process.ts';

/** Several servers on one database. One that dies is restarted at once, while the others serve. */
export class AppPool {
  readonly #settings: AppSettings;
  #apps: AppProcess[] = [];
  #turn = 0;
  #isStopping = false;
  /** Servers that ended by themselves: there must be none. */
  deaths = 0;

  constructor(settings: AppSettings) {
    this.#settings = settings;
  }

  /** Starts them all and waits until they serve. */
  async start(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) this.#start();
    await Promise.all(this.#apps.map(({ ready }) => ready));
    if (this.#apps.some(({ isReady }) => !isReady))
      throw new Error('a server did not start: see servers.log');
  }

  get serving(): AppProcess[] {
    return this.#apps.filter(({ isReady }) => isReady);
  }

  get all(): AppProcess[] {
    return this.#apps;
  }

  /** A serving server, in turn; waits for one if none serves. */
  async next(): Promise<AppProcess> {
    await this.serve(1);
    return this.serving[(this.#turn += 1) % this.serving.length]!;
  }

  /** Waits until this many serve. */
  async serve(count: number): Promise<void> {
    while (this.serving.length < count) {
      if (this.#isStopping)
        throw new Error('the servers were stopped while something was under way');
      await Promise.race(
        this.#apps
          .filter(({ isReady }) => !isReady)
          .map(({ ready, gone }) => Promise.race([ready, gone])),
      );
      await new Promise(setImmediate);
    }
  }

  /** Kills it; another starts in its place. Resolves when it is gone. */
  async kill(app: AppProcess): Promise<void> {
    app.isReady = false;
    this.#apps = this.#apps.filter((other) => other !== app);
    this.#start();
    app.kill();
    await app.gone;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#apps.map((app) => app.stop()));
  }

  #start(): void {
    const app = startApp(this.#settings);
    this.#apps.push(app);
    void app.gone.then(() => {
      if (this.#isStopping || !this.#apps.includes(app)) return;
      this.deaths += 1;
      if (this.deaths > 20) throw new Error('servers die by themselves: see servers.log');
      this.#apps = this.#apps.filter((other) => other !== app);
      this.#start();
    });
  }
}
