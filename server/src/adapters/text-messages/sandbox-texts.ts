import { randomUUID } from 'node:crypto';
import { TextNotSent, TextRefused, TextUnknown, type TextMessages } from './text-messages.ts';

/** Numbers at which the sandbox fails; the first two are those of Twilio's test credentials. */
export const sandboxTextNumbers = {
  invalid: '+15005550001',
  stopped: '+15005550004',
  away: '+15005550090',
  noAnswer: '+15005550091',
} as const;

/**
 * The sandbox's provider: the row of a text already is what the mailbox shows, so nothing is sent.
 */
export const sandboxTexts: TextMessages = {
  send({ to }) {
    switch (to) {
      case sandboxTextNumbers.invalid:
        return Promise.reject(new TextRefused('21211', false));
      case sandboxTextNumbers.stopped:
        return Promise.reject(new TextRefused('21610', true));
      case sandboxTextNumbers.away:
        return Promise.reject(new TextNotSent('the sandbox is away for this number'));
      case sandboxTextNumbers.noAnswer:
        return Promise.reject(new TextUnknown('the sandbox does not answer for this number'));
      default:
        return Promise.resolve({ providerId: `sandbox_${randomUUID()}` });
    }
  },
};
