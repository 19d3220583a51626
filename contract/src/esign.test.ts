import { expect, test } from 'vitest';
import { isPending } from './esign.ts';

// spec 3.36
test('only a document that was sent and not answered waits for the tenant', () => {
  const document = { ledgerId: '', formId: '', formName: '', envelopeStatus: '' };
  const pending = [1, 2, 3, 4].filter((envelopeStatusId) =>
    isPending({ ...document, envelopeStatusId }),
  );
  expect(pending).toEqual([1]);
});
