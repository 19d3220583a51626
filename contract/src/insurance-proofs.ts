import { z } from 'zod/mini';
import { id } from './ids.ts';
import { field, staffVerb } from './staff-verb.ts';
import { requiredText } from './text.ts';

const fields = {
  proofId: id.check(z.describe('the proof of insurance')),
  isChanged: field(z.optional(z.boolean()), {
    title: 'Replace the earlier decision',
    description: 'For a proof that was decided the other way.',
    isAsked: true,
  }),
};

/** The proof that was decided; `hasPlan` of a rental that has a protection plan as well. */
const reply = z.object({
  unitName: z.string(),
  company: z.string(),
  policyNumber: z.string(),
  hasPlan: z.boolean(),
});
const example: z.infer<typeof reply> = {
  unitName: 'A101',
  company: 'Lone Star Marine Insurance',
  policyNumber: 'LSM-204417',
  hasPlan: false,
};

/**
 * `insurance accept`: the proof was checked; one that was refused counts again. The tenant is
 * mailed.
 */
export const acceptProof = staffVerb({
  name: 'insurance.accept',
  title: 'Accept a proof of insurance',
  summary: 'Accepts a proof of private insurance, and mails the tenant',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object(fields),
  reply,
  example,
  says: ({ unitName, company, policyNumber }, isDone) => [
    `The policy ${policyNumber} of ${company} ${isDone ? 'is' : 'will be'} the accepted proof of insurance of ${unitName}.`,
    `The tenant ${isDone ? 'is' : 'will be'} mailed.`,
  ],
});

/**
 * `insurance refuse`: the proof no longer counts, and the portal says that one is needed. The
 * tenant is mailed the sentence of `refusal`, which the portal shows where they prove again.
 */
export const refuseProof = staffVerb({
  name: 'insurance.refuse',
  title: 'Refuse a proof of insurance',
  summary: 'Refuses a proof of private insurance, and mails the tenant why',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({
    proofId: fields.proofId,
    refusal: field(requiredText('What the tenant reads', 300), {
      title: 'What the tenant reads',
      description: 'A sentence such as: The coverage is below the $5,000 of your lease.',
    }),
    isChanged: fields.isChanged,
  }),
  reply,
  example,
  says: ({ unitName, company, policyNumber, hasPlan }, isDone) => [
    `The policy ${policyNumber} of ${company} ${isDone ? 'is' : 'will be'} no proof of insurance of ${unitName} any more.`,
    hasPlan ? 'Its protection plan stays.' : 'It has no other: the portal says that one is needed.',
    `The tenant ${isDone ? 'is' : 'will be'} mailed your sentence, and reads it in the portal.`,
  ],
});
