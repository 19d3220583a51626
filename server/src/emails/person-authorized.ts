import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from './call-facility.ts';
import { hello, paragraph, type Email } from './email.ts';

/** Notifies a tenant that a further person has a gate code for a unit, without the code. */
export function personAuthorizedEmail(
  given: FacilityContact & { firstName: string; unitName: string; person: string },
): Email {
  const { firstName, name, unitName, person } = given;
  return {
    subject: t('{person} can open the gate for unit {unitName} at {name}', {
      person,
      unitName,
      name,
    }),
    blocks: [
      hello(firstName),
      paragraph(
        t('{name} has given {person} a gate code for unit {unitName}. It ends with your rental.', {
          name,
          person,
          unitName,
        }),
      ),
      callAction(given.phone),
      paragraph(t('If you did not ask for this, {ask} right away.', { ask: howToAsk(given) })),
    ],
  };
}
