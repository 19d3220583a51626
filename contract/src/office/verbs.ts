import { z } from 'zod/mini';
import * as alarms from '../alarms.ts';
import * as authorizedPersons from '../authorized-persons.ts';
import * as counterCharges from '../counter-charges.ts';
import * as counterPayments from '../counter-payments.ts';
import * as credits from '../credits.ts';
import * as drawers from '../drawers.ts';
import type { Schema } from '../endpoint.ts';
import * as insuranceProofs from '../insurance-proofs.ts';
import * as journal from '../journal.ts';
import * as lateNotices from '../late-notices.ts';
import * as leaseImports from '../lease-imports.ts';
import * as moves from '../moves.ts';
import * as rentals from '../rentals.ts';
import * as staffAutopay from '../staff-autopay.ts';
import * as staffDocuments from '../staff-documents.ts';
import * as staffPayLinks from '../staff-pay-links.ts';
import * as staffStatements from '../staff-statements.ts';
import { REASON_NEEDED, type StaffVerb } from '../staff-verb.ts';
import * as tenantMarks from '../tenant-marks.ts';
import * as tenantRecords from '../tenant-records.ts';
import * as unitRecords from '../unit-records.ts';
import { plainText } from '../typed.ts';
import { changeKey } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/** What comes with a verb's body: the caller is the member who is signed in. */
const callFields = z.object({
  key: changeKey,
  why: z
    .string('Why must be text.')
    .check(
      z.overwrite(plainText),
      z.trim(),
      z.maxLength(500, 'The reason (why) must be at most 500 characters.'),
    ),
  isPreview: z.boolean('IsPreview must be true or false.'),
  /** The facility that the action is for, where the body names none of its things. */
  locationCode: z.optional(z.string().check(z.maxLength(50, 'Location is too long.'))),
});

const reasonedFields = z.extend(callFields, {
  why: callFields.shape.why.check(z.minLength(1, REASON_NEEDED)),
});

/**
 * The call of a verb: POST /office/verbs/{subject}/{action}, such as `rentals/move-out`. Its body
 * is the verb's own with `key`, `why` and `isPreview`; its reply is the verb's. The same key and
 * body answer the same again. 403 for a role that may not, 404 for what belongs to another
 * facility.
 */
function verbCall<Body extends Schema, Reply extends Schema>(verb: StaffVerb<Body, Reply>) {
  const [subject, action = ''] = verb.name.split('.').map(hyphenated);
  const body = z.intersection(verb.body, verb.isReasonNeeded ? reasonedFields : callFields);
  const call = officeEndpoint({
    name: verb.name,
    method: 'POST',
    path: `/office/verbs/${subject}/${action}`,
    access: 'staff',
    role: verb.role,
    body,
    ...(verb.bodyBytes !== undefined && { bodyBytes: verb.bodyBytes }),
    reply: verb.reply,
  });
  return { ...call, verb };
}

/** `moveOut` as `move-out`. */
function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
}

/** The calls of the verbs that a module of the contract declares, by the verb's name. */
type CallsOf<Module> = {
  [
    Key in keyof Module as Module[Key] extends StaffVerb ? Module[Key]['name'] : never
  ]: Module[Key] extends StaffVerb<infer Body, infer Reply>
    ? ReturnType<typeof verbCall<Body, Reply>>
    : never;
};

function callsOf<Module extends Record<string, unknown>>(module: Module): CallsOf<Module> {
  const verbs = Object.values(module).filter(isVerb);
  const calls = verbs.map((verb) => [verb.name, verbCall(verb)]);
  // What is filtered here by value is filtered in the type by the same field.
  return Object.fromEntries(calls) as CallsOf<Module>;
}

function isVerb(value: unknown): value is StaffVerb {
  return typeof value === 'object' && value !== null && 'isReasonNeeded' in value;
}

/**
 * Every verb of staff as a call of the office, by the verb's name: what these modules declare by
 * `staffVerb`.
 */
export const officeVerbs = {
  ...callsOf(tenantRecords),
  ...callsOf(tenantMarks),
  ...callsOf(counterPayments),
  ...callsOf(staffAutopay),
  ...callsOf(staffPayLinks),
  ...callsOf(staffDocuments),
  ...callsOf(staffStatements),
  ...callsOf(drawers),
  ...callsOf(counterCharges),
  ...callsOf(credits),
  ...callsOf(moves),
  ...callsOf(rentals),
  ...callsOf(authorizedPersons),
  ...callsOf(insuranceProofs),
  ...callsOf(lateNotices),
  ...callsOf(alarms),
  ...callsOf(journal),
  ...callsOf(unitRecords),
  ...callsOf(leaseImports),
};
export type OfficeVerbName = keyof typeof officeVerbs;
