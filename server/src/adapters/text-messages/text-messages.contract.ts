import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TextNotSent, TextRefused, TextUnknown, type TextMessages } from './text-messages.ts';

/** A provider under test, with a number for each of its outcomes. */
export type TextsUnderTest = {
  texts: TextMessages;
  numbers: Record<'good' | 'invalid' | 'stopped' | 'away' | 'noAnswer', string>;
  close(): Promise<void>;
};

/** The tests that every provider of text messages passes. */
export function describeTexts(name: string, open: () => Promise<TextsUnderTest>): void {
  describe(`the ${name} provider of text messages`, () => {
    let under: TextsUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const body = 'Anchor & Axle: $150.00 is due 12/1/2026. Reply STOP to end';
    const send = (to: string) => under.texts.send({ id: randomUUID(), to, body });
    const failureOf = (to: string) =>
      send(to).then(
        () => null,
        (error: unknown) => error,
      );

    test('takes each text, and answers an id of its own for it', async () => {
      const [one, other] = [await send(under.numbers.good), await send(under.numbers.good)];
      expect(one.providerId).not.toBe('');
      expect(other.providerId).not.toBe(one.providerId);
    });

    test('refuses a number that gets no texts, and says where its owner has stopped them', async () => {
      const invalid = await failureOf(under.numbers.invalid);
      expect(invalid).toBeInstanceOf(TextRefused);
      expect(invalid).toMatchObject({ code: '21211', isStopped: false });
      const stopped = await failureOf(under.numbers.stopped);
      expect(stopped).toBeInstanceOf(TextRefused);
      expect(stopped).toMatchObject({ code: '21610', isStopped: true });
    });

    test('says that nothing was sent where it took nothing, and works again afterwards', async () => {
      expect(await failureOf(under.numbers.away)).toBeInstanceOf(TextNotSent);
      await send(under.numbers.good);
    });

    // spec 10.66
    test('says that the outcome is unknown where no answer comes', async () => {
      expect(await failureOf(under.numbers.noAnswer)).toBeInstanceOf(TextUnknown);
    });

    test('names in no error a number or the text', async () => {
      const { invalid, stopped, away, noAnswer } = under.numbers;
      for (const to of [invalid, stopped, away, noAnswer]) {
        const { message } = (await failureOf(to)) as Error;
        expect(message).not.toContain(to.slice(2));
        expect(message).not.toContain('150.00');
      }
    });
  });
}
