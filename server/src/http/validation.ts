import type { $ZodIssue } from 'zod/v4/core';
import { safeParse, type $ZodType } from 'zod/v4/core';
import { Refusal } from '#refusal.ts';

/** Fastify's hook into the contract: a refused body or query becomes 422 with a sentence that names the field. */
export function compileValidator({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  // Path ids are the guard's: a malformed one is not found, like a foreign one (design section 6).
  if (httpPart === 'params') return (data: unknown) => ({ value: data });
  return (given: unknown) => {
    // Fastify says null for a body that is not there.
    const data = httpPart === 'body' && given === null ? undefined : given;
    const result = safeParse(schema as $ZodType, data, { error: () => GENERIC, reportInput: true });
    if (result.success) {
      if (holdsUnusable(result.data))
        return { error: new Refusal(422, 'The request holds a character that cannot be used.') };
      return { value: result.data };
    }
    const issue = result.error.issues[0]!;
    return { error: new Refusal(422, sentenceOf(issue)) };
  };
}

/** Whether a call may come without a body: it takes none, or everything in it may be missing (design section 6). */
export function mayBeEmpty(body: unknown): boolean {
  return body === undefined || safeParse(body as $ZodType, undefined).success;
}

/**
 * PostgreSQL's text cannot hold NUL and its jsonb no half of a surrogate pair, so they are refused before anything is
 * asked of anybody. The contract bounds the depth.
 */
function holdsUnusable(data: unknown): boolean {
  if (typeof data === 'string') return data.includes('\0') || !data.isWellFormed();
  return typeof data === 'object' && data !== null && Object.values(data).some(holdsUnusable);
}

/** The first fault as a sentence: the contract's own, which names its field, or the field and what it must be. */
export function sentenceOf(given: $ZodIssue): string {
  const issue = deepest(given);
  if (issue.message !== GENERIC) return issue.message;
  const field = issue.path.findLast((part) => typeof part === 'string');
  return `${field === undefined ? 'The request body' : `The field ${field}`} ${expectationOf(issue)}`;
}

/** Stands where the contract gave no message of its own. */
const GENERIC = 'generic';

/** Of a union's branches the one that was meant: an earlier one when the field that marks it is there, else the last. */
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

function expectationOf(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}.`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be an id.' : `must have the form of a ${issue.format}.`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}.`;
    default:
      return 'cannot be used.';
  }
}
