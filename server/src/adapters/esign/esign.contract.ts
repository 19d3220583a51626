import { randomUUID } from 'node:crypto';
import type { EsignDocument } from '@gatehouse/contract/esign';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '#db/database.ts';
import type { EsignService } from './esign.ts';

/** A service under test: one rental has the documents below, another has none, a third has some. */
export type EsignUnderTest = {
  esign: EsignService;
  db: Database;
  ledgerId: string;
  emptyLedgerId: string;
  otherLedgerId: string;
  /** Runs the work while the service is unavailable. */
  whileDown(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export const documents = [
  { form: 'Addendum', status: 'sent' },
  { form: 'Inventory', status: 'expired' },
  { form: 'Rental Agreement', status: 'completed' },
  { form: 'Vehicle Form', status: 'sent' },
  { form: 'Waiver', status: 'declined' },
] as const;

/** The tests that every signing service passes. */
export function describeEsign(name: string, open: () => Promise<EsignUnderTest>): void {
  describe(`the ${name} signing service`, () => {
    let under: EsignUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const said = ({ formName, envelopeStatus, envelopeStatusId }: EsignDocument) =>
      `${formName}: ${envelopeStatus} (${envelopeStatusId})`;

    test('has the documents of a rental by form name, each with its state', async () => {
      const list = await under.esign.list(under.db, [under.ledgerId, under.emptyLedgerId]);
      expect(list.map(said)).toEqual([
        'Addendum: Sent (1)',
        'Inventory: Expired (4)',
        'Rental Agreement: Completed (2)',
        'Vehicle Form: Sent (1)',
        'Waiver: Declined (3)',
      ]);
      expect(new Set(list.map(({ ledgerId }) => ledgerId))).toEqual(new Set([under.ledgerId]));
    });

    test('gives each document a stable id', async () => {
      const [once, again] = [
        await under.esign.list(under.db, [under.ledgerId]),
        await under.esign.list(under.db, [under.ledgerId]),
      ];
      expect(new Set(once.map(({ formId }) => formId)).size).toBe(documents.length);
      expect(again).toEqual(once);
      for (const { formId } of once)
        expect(formId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });

    test('has none for a rental without documents, and returns nothing of another rental', async () => {
      expect(await under.esign.list(under.db, [under.emptyLedgerId])).toEqual([]);
      const [ofOther] = await under.esign.list(under.db, [under.otherLedgerId]);
      expect(ofOther).toMatchObject({ ledgerId: under.otherLedgerId, formName: 'Secret' });
    });

    test('sends again what waits for the tenant, and nothing else, however often it is asked', async () => {
      const id = randomUUID();
      for (let round = 0; round < 2; round += 1)
        expect(await under.esign.resend(under.ledgerId, id)).toEqual(['Addendum', 'Vehicle Form']);
      expect(await under.esign.resend(under.emptyLedgerId, randomUUID())).toEqual([]);
    });

    test('fails while it is unavailable, and works again afterwards', async () => {
      await under.whileDown(async () => {
        await expect(under.esign.list(under.db, [under.ledgerId])).rejects.toThrow();
        await expect(under.esign.resend(under.ledgerId, randomUUID())).rejects.toThrow();
      });
      expect(await under.esign.list(under.db, [under.ledgerId])).toHaveLength(documents.length);
    });
  });
}
