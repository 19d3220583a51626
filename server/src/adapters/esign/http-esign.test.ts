import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { openOwnerDatabase } from '#db/database.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { describeEsign, documents } from './esign.contract.ts';
import { EsignUnavailable } from './esign.ts';
import { createHttpEsign } from './http-esign.ts';

const esignAt = ({ url }: Receiver) =>
  createHttpEsign({ url, secret: 'a-secret', isPrivateRefused: false });
type Envelope = { id: string; ledger: string; form: string; status: string };

describeEsign('outside', async () => {
  const receiver = await openReceiver('a-secret');
  const db = openOwnerDatabase(inject('clusterUrl'));
  const [ledgerId, emptyLedgerId, otherLedgerId] = [randomUUID(), randomUUID(), randomUUID()];
  const envelopes: Envelope[] = [
    { id: 'env/secret', ledger: otherLedgerId, form: 'Secret', status: 'sent' },
    ...documents
      .map(({ form, status }) => ({ id: `env/${form}`, ledger: ledgerId, form, status }))
      .toReversed(),
  ];
  /** A service that returns all its documents, whichever rentals were asked for. */
  const works = (message: Record<string, unknown>) => {
    if (message.type === 'envelopes.list') return { body: { envelopes } };
    const mine = envelopes.filter(
      ({ ledger, status }) => ledger === message.ledger && status === 'sent',
    );
    return { body: { forms: mine.map(({ form }) => form).sort() } };
  };
  receiver.answer(works);
  return {
    esign: esignAt(receiver),
    db,
    ledgerId,
    emptyLedgerId,
    otherLedgerId,
    async whileDown(work) {
      receiver.answer(() => ({ status: 503 }));
      await work();
      receiver.answer(works);
    },
    async close() {
      await db.destroy();
      await receiver.close();
    },
  };
});

test.each([
  ['no', undefined, 503],
  ['no JSON', undefined, 200],
  ['another shape', { documents: [] }, 200],
  ['an unknown state', { envelopes: [{ id: '1', ledger: 'x', form: 'A', status: 'lost' }] }, 200],
])('an answer of %s is a fault, and nothing of it is used', async (_, body, status) => {
  const receiver = await openReceiver('a-secret');
  const db = openOwnerDatabase(inject('clusterUrl'));
  receiver.answer(() => ({ status, body }));
  await expect(esignAt(receiver).list(db, ['x'])).rejects.toBeInstanceOf(EsignUnavailable);
  await db.destroy();
  await receiver.close();
});
