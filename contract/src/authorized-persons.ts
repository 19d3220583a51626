import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { gateCode } from './gate-code.ts';
import { id } from './ids.ts';
import { personName } from './person-name.ts';
import { phoneNumber } from './phone-number.ts';
import { field, rentalId, staffVerb } from './staff-verb.ts';

/** A further person with a gate code for a rental; `lastOn` is null where it has no last day. */
export const authorizedPerson = z.object({
  personId: id,
  name: z.string(),
  phone: z.nullable(z.string()),
  lastOn: z.nullable(calendarDate),
});

const exampleAuthorizedPerson: z.infer<typeof authorizedPerson> = {
  personId: 'a2f6c0e4-5b1d-4c7e-9f30-8d6b2a1c4e5f',
  name: 'Ada Okafor',
  phone: '6825550119',
  lastOn: '2026-12-31',
};

const reply = z.object({ ...authorizedPerson.shape, unitName: z.string() });
const example = { ...exampleAuthorizedPerson, unitName: 'A101' };

/**
 * `rentals authorize`: gives a person a gate code of their own for a rental. It opens through the
 * last day, while the rental lasts and is not locked out. The tenant is mailed; the code is in no
 * mail and no answer: `rentals code` shows it.
 */
export const authorizePerson = staffVerb({
  name: 'rentals.authorize',
  title: 'Authorize a person',
  summary: 'Gives a further person a gate code of their own for a rental',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({
    ledgerId: rentalId,
    name: field(personName('Name'), { title: 'Name' }),
    phone: field(z.optional(phoneNumber), { title: 'Phone' }),
    lastOn: field(z.optional(calendarDate), {
      title: 'Last day',
      description: 'Until you end it unless a day is named.',
    }),
    gateCode: field(z.optional(gateCode), {
      title: 'Gate code',
      description: 'A random one unless one is named.',
      role: 'manager',
    }),
  }),
  reply,
  example,
  says: ({ name, lastOn, unitName }, isDone) => [
    `${name} ${isDone ? 'has' : 'will have'} a code of their own for ${unitName}, ${lastOn === null ? 'until you end it' : `through ${formatDate(lastOn)}`}.`,
    'It ends with the rental, and opens nothing while the unit is locked out.',
  ],
});

/** `rentals end-authorization`: the person's code opens nothing from now on. */
export const endAuthorization = staffVerb({
  name: 'rentals.endAuthorization',
  title: 'End an authorization',
  summary: 'Ends the gate code of a further person of a rental',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ personId: id.check(z.describe('the authorized person')) }),
  reply,
  example,
  says: ({ name, unitName }, isDone) => [
    `The code of ${name} ${isDone ? 'opens' : 'will open'} nothing of ${unitName} any more.`,
  ],
});
