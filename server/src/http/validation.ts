import { t } from '@gatehouse/language/t';
import type { $ZodIssue } from 'zod/v4/core';
import { safeParse, type $ZodType } from 'zod/v4/core';
import { Refusal } from '#errors/refusal.ts';

/**
 * Connects the contract to Fastify's validation: an invalid body or query becomes 422 with a
 * sentence that names the field.
 */
export function compileValidator({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  // Path ids are checked by the guard: a malformed one is answered as not found, like another
  // user's.
  if (httpPart === 'params') return (data: unknown) => ({ value: data });
  return (given: unknown) => {
    // Fastify passes null for a missing body.
    const data = httpPart === 'body' && given === null ? undefined : given;
    const result = safeParse(schema as $ZodType, data, { error: () => GENERIC, reportInput: true });
    if (result.success) {
      if (holdsUnusable(result.data))
        return { error: new Refusal(422, t('The request holds a character that cannot be used.')) };
      return { value: result.data };
    }
    const issue = result.error.issues[0]!;
    return { error: new Refusal(422, sentenceOf(issue)) };
  };
}

/** Whether the body may be missing: there is none, or all its fields are optional. */
export function mayBeEmpty(body: unknown): boolean {
  return body === undefined || safeParse(body as $ZodType, undefined).success;
}

/**
 * PostgreSQL's text cannot store NUL, nor its jsonb an unpaired surrogate, so they are refused
 * first. The contract limits the depth.
 */
function holdsUnusable(data: unknown): boolean {
  if (typeof data === 'string') return data.includes('\0') || !data.isWellFormed();
  return typeof data === 'object' && data !== null && Object.values(data).some(holdsUnusable);
}

/**
 * The first fault as a sentence: the contract's own, which names its field, or the field and its
 * expected value.
 */
export function sentenceOf(given: $ZodIssue): string {
  const issue = deepest(given);
  if (issue.message !== GENERIC) return issue.message;
  const field = issue.path.findLast((part) => typeof part === 'string');
  return expectationOf(
    field === undefined ? t('The request body') : t('The field {field}', { field }),
    issue,
  );
}

/** Marks a fault without a message of the contract. */
const GENERIC = 'generic';

/**
 * The intended branch of a union: an earlier one when its discriminating field is present, else the
 * last.
 */
function deepest(issue: $ZodIssue): $ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.filter((faults) => faults.length > 0);
  const meant = branches.find((faults) => !faults.some(isMissing)) ?? branches.at(-1);
  const inner = meant?.[0];
  return inner === undefined ? issue : deepest({ ...inner, path: [...issue.path, ...inner.path] });
}

function isMissing(issue: $ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.input === undefined;
}

function expectationOf(subject: string, issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return /^[aeio]/.test(issue.expected)
        ? t('{subject} must be an {type}.', { subject, type: issue.expected })
        : t('{subject} must be a {type}.', { subject, type: issue.expected });
    case 'invalid_format':
      if (issue.format === 'uuid') return t('{subject} must be an id.', { subject });
      if (issue.format === 'date')
        return t('{subject} must be a day of the calendar, such as 2026-12-01.', { subject });
      return t('{subject} must have the form of a {format}.', { subject, format: issue.format });
    case 'invalid_value':
      return t('{subject} must be one of {values}.', {
        subject,
        values: issue.values.map(String).join(', '),
      });
    default:
      return t('{subject} cannot be used.', { subject });
  }
}
