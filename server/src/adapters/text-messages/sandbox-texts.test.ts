import { sandboxTextNumbers, sandboxTexts } from './sandbox-texts.ts';
import { describeTexts } from './text-messages.contract.ts';

describeTexts('sandbox', () =>
  Promise.resolve({
    texts: sandboxTexts,
    numbers: { good: '+18175550142', ...sandboxTextNumbers },
    close: () => Promise.resolve(),
  }),
);
