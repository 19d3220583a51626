import { t } from '@gatehouse/language/t';
import { requiredText } from './text.ts';

/** What the 24-hour form asks for. */
export const gateRequestFields = { reason: requiredText(() => t('Reason'), 1000) };
