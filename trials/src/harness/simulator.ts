import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dashboard } from '@gatehouse/server/src/adapters/payments/gateway.contract.ts';
import type { Fault, JournalLine, SimulatorMessage, SimulatorOrder } from './simulator/journal.ts';
import { readLog } from './simulator/synced-log.ts';

/** The payment simulator in a child process: the witness of what was charged. */
export type Simulator = {
  url: string;
  /** What the next charge of this amount meets; amounts of a proof differ where this is used. */
  script(amountCents: number, fault: Fault): Promise<void>;
  /** Hears of every charge that is held: made and on the disk, but not answered. */
  onHeld(listener: (reference: string, amountCents: number) => void): void;
  /** What happened to money so far, from the disk. */
  journal(): Promise<JournalLine[]>;
  /** How often it was asked to charge, to refund or to describe or keep a method. */
  calls(): Promise<number>;
  /** Refunds in the gateway's own dashboard, and disputes. */
  dashboard: Dashboard;
  stop(): Promise<void>;
};

type Options = Partial<Omit<SimulatorOrder, 'journal'>>;

const simulatorMain = fileURLToPath(new URL('./simulator/main.ts', import.meta.url));
let started = 0;

/** Starts a simulator with a new journal in the folder. */
export async function startSimulator(folder: string, options: Options = {}): Promise<Simulator> {
  const journal = join(folder, `journal-${process.pid}-${(started += 1)}.jsonl`);
  const order: SimulatorOrder = { latencyMs: 20, slowMs: 30_000, ...options, journal };
  const child = fork(simulatorMain, {
    env: { ...process.env, SIMULATOR_ORDER: JSON.stringify(order) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]; // its first message
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string, body: object = {}): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the simulator refused ${path}`);
    return response.json();
  };
  const post = async (path: string, body?: object) => {
    await ask(path, body);
  };
  const make = async (path: string, body: object) => ((await ask(path, body)) as { id: string }).id; // as main.ts answers
  return {
    url,
    script: (amountCents, fault) => post('/faults', { amountCents, fault }),
    onHeld(listener) {
      child.on('message', (message: SimulatorMessage) => {
        if ('held' in message) listener(message.held, message.amountCents);
      });
    },
    journal: () => readLog<JournalLine>(journal),
    async calls() {
      const response = await fetch(`${url}/calls`);
      return ((await response.json()) as { calls: number }).calls; // as main.ts answers
    },
    dashboard: {
      refund: (reference, cents) => make(`/charges/${reference}/refund`, { cents }),
      failRefund: (id) => post(`/refunds/${id}/fail`),
      dispute: (reference, cents, { isInquiry = false } = {}) =>
        make(`/charges/${reference}/dispute`, { cents, isInquiry }),
      decide: (id, standing) => post(`/disputes/${id}/decide`, { standing }),
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
