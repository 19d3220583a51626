import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewInstrument } from '@gatehouse/server/src/adapters/payments/gateway.ts';
import { describeGateway } from '@gatehouse/server/src/adapters/payments/gateway.contract.ts';
import { createSimulatorGateway } from '@gatehouse/server/src/adapters/payments/simulator-gateway.ts';
import { patience } from '@gatehouse/server/test/patience.ts';
import { vi } from 'vitest';
import { capturesOf } from '../checker.ts';
import { newAccount, newCard } from '../orders.ts';
import { startSimulator } from '../simulator.ts';
import { simulatorNumbers } from './instruments.ts';

describeGateway('simulator', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-simulator-'));
  const simulator = await startSimulator(folder, { latencyMs: 2 });
  return {
    gateway: createSimulatorGateway(simulator.url, randomBytes(32)),
    card: (behaviour) =>
      ({
        type: 'creditCard',
        card: newCard(simulatorNumbers[behaviour]).creditCard,
      }) as NewInstrument,
    account: () => ({ type: 'ach', account: newAccount().ach }) as NewInstrument,
    async capturedCents(reference) {
      const captures = capturesOf(await simulator.journal()).filter(
        (line) => line.reference === reference,
      );
      return captures.length === 0
        ? null
        : captures.reduce((sum, { amountCents }) => sum + amountCents, 0);
    },
    silenceOf(reference) {
      const silence = new AbortController();
      const isCaptured = async () =>
        capturesOf(await simulator.journal()).some((line) => line.reference === reference);
      void vi
        .waitUntil(isCaptured, patience)
        .then(() => silence.abort(new DOMException('The simulator is silent', 'TimeoutError')));
      return silence.signal;
    },
    dashboard: simulator.dashboard,
    async close() {
      await simulator.stop();
      await rm(folder, { recursive: true });
    },
  };
});
