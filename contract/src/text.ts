import { z } from 'zod/mini';

/**
 * A text that must not be empty, of at most `most` characters; spaces at its ends are taken off.
 */
export function requiredText(label: string, most = 100) {
  return z
    .string(`${label} is required.`)
    .check(
      z.trim(),
      z.minLength(1, `${label} is required.`),
      z.maxLength(most, `${label} is too long.`),
    );
}

/** A text that may be missing or empty. */
export function optionalText(label: string, most = 100) {
  return z.optional(
    z.string(`${label} must be text.`).check(z.trim(), z.maxLength(most, `${label} is too long.`)),
  );
}

/** An email address, required; longer ones than 254 characters no mail system takes. */
export function emailAddress(label: string) {
  return requiredText(label, 254).check(
    z.regex(/^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\].]+$/, {
      error: `${label} must look like name@example.com.`,
    }),
  );
}

/**
 * A copy of what the server knows itself (names, facility, form type …): it may be sent, and
 * decides nothing (safety finding 1).
 */
export const copied = z.optional(
  z.nullable(
    z.union([z.string().check(z.maxLength(500, 'A text is too long.')), z.number(), z.boolean()]),
  ),
);
