import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { requiredMessage, requiredText } from './text.ts';
import { CONTENTS_VALUE_MAX, type ContentsType, contentsTypes } from './unit-contents.ts';

/** What the contents form asks for: the type, and a VIN or HIN of a vehicle or boat. */
export const contentsFields = {
  type: z.enum(
    Object.keys(contentsTypes) as [ContentsType, ...ContentsType[]],
    requiredMessage(() => t('Type')),
  ),
  vin: requiredText('VIN', CONTENTS_VALUE_MAX),
  hin: requiredText('HIN', CONTENTS_VALUE_MAX),
};
