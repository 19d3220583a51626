import { t } from '@gatehouse/language/t';
import type { Language } from '@gatehouse/language/language';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** The language of an account: of its mails, text messages and papers. */
export const accountLanguage = z.enum(['en', 'es'] satisfies Language[], {
  error: () => t('Language must be English or Spanish.'),
});

/**
 * POST /users/language, not in the spec: chooses the language of the sign-in's mails, text messages
 * and papers, whatever language its pages are read in. A repeat changes nothing.
 */
export const chooseLanguage = endpoint({
  name: 'chooseLanguage',
  subject: 'Signing in',
  summary: 'Chooses the language of mails, text messages and papers',
  method: 'POST',
  path: '/users/language',
  access: 'session',
  body: z.object({ language: accountLanguage }),
  reply: z.object({ language: accountLanguage }),
  example: { language: 'es' },
});
