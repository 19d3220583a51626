import { t } from '@gatehouse/language/t';
import { requiredText } from './text.ts';

/** The longest reply of staff or answer of a tenant to a request, in characters. */
export const REPLY_MAX = 2000;

/** What the form of an answer asks for. */
export const answerFields = { text: requiredText(() => t('Answer'), REPLY_MAX) };
