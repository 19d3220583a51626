import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

/** A proof of private insurance that was decided; `refusal` is null of one that was accepted. */
export type ProofChecked = FacilityContact & {
  firstName: string;
  unitName: string;
  company: string;
  policyNumber: string;
  refusal: string | null;
};

/** Notifies a tenant that staff accepted or refused their proof of insurance. */
export function proofCheckedEmail(given: ProofChecked): Email {
  const { firstName, name, unitName, company, policyNumber, refusal } = given;
  const policy = { name, unitName, company, policyNumber };
  if (refusal === null)
    return {
      subject: t('Your proof of insurance for unit {unitName} at {name} was accepted', {
        unitName,
        name,
      }),
      blocks: [
        hello(firstName),
        paragraph(
          t(
            '{name} has accepted policy {policyNumber} of {company} as your proof of insurance for unit {unitName}.',
            policy,
          ),
        ),
        action(t('See your insurance'), '/'),
      ],
    };
  return {
    subject: t('Your proof of insurance for unit {unitName} at {name} was refused', {
      unitName,
      name,
    }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          '{name} has not accepted policy {policyNumber} of {company} as your proof of insurance for unit {unitName}:',
          policy,
        ),
      ),
      paragraph(refusal),
      paragraph(t('Please give another proof or add a protection plan.')),
      action(t('See your insurance'), '/'),
      paragraph(t('If something is wrong with it, {ask}.', { ask: howToAsk(given) })),
    ],
  };
}
