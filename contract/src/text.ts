import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { invisibleIn, plainNumber, plainText } from './typed.ts';

/** A field's label: a function where tenants read it, because their language differs by call. */
export type Label = string | (() => string);

/** The message of a field that is empty or missing. */
export function requiredMessage(label: Label) {
  return { error: () => t('{label} is required.', { label: textOf(label) }) };
}

/** The message of a text that is too long. */
export function tooLongMessage(label: Label) {
  return { error: () => t('{label} is too long.', { label: textOf(label) }) };
}

function textOf(label: Label): string {
  return typeof label === 'string' ? label : label();
}

/** A text that must not be empty, of at most `most` characters, as `plainText` has it. */
export function requiredText(label: Label, most = 100) {
  return requiredAs(plainText, label, most);
}

/** A number that must not be empty, of at most `most` characters, as it is meant. */
export function requiredNumber(label: Label, most: number) {
  return requiredAs(plainNumber, label, most);
}

function requiredAs(written: (typed: string) => string, label: Label, most: number) {
  const required = requiredMessage(label);
  return z
    .string(required)
    .check(
      z.overwrite(written),
      z.trim(),
      z.minLength(1, required),
      z.maxLength(most, tooLongMessage(label)),
    );
}

/** A text that may be missing or empty, likewise. */
export function optionalText(label: Label, most = 100) {
  return z.optional(
    z
      .string({ error: () => t('{label} must be text.', { label: textOf(label) }) })
      .check(z.overwrite(plainText), z.trim(), z.maxLength(most, tooLongMessage(label))),
  );
}

/**
 * Refuses a text with an invisible character, by its name: it looks like another one and is not the
 * same. Spaces at its ends do not count.
 */
export function visible(label: Label) {
  return z.refine<string>((text) => invisibleIn(text.trim()) === undefined, {
    error: ({ input }) =>
      t(
        '{label} contains an invisible character ({character}). Please type the address instead of pasting it.',
        { label: textOf(label), character: invisibleIn(String(input).trim()) ?? '' },
      ),
  });
}

/** An email address, required; longer ones than 254 characters no mail system takes. */
export function emailAddress(label: Label) {
  return requiredAs((typed) => typed.normalize(), label, 254).check(
    visible(label),
    z.regex(/^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\].]+$/, {
      error: () => t('{label} must look like name@example.com.', { label: textOf(label) }),
    }),
  );
}

/** The longest text of a copy. */
export const MOST_COPIED = 500;

/**
 * A copy of what the server knows itself (names, facility, form type …): it may be sent, and
 * decides nothing.
 */
export const copied = z.optional(
  z.nullable(
    z.union([
      z.string().check(z.maxLength(MOST_COPIED, { error: () => t('A text is too long.') })),
      z.number(),
      z.boolean(),
    ]),
  ),
);
