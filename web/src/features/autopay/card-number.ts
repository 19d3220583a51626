/** The digits of what was typed or pasted; spaces and dashes are welcome and never sent. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Digits in groups of four, as they stand on the card. */
export function groupDigits(text: string): string {
  return digitsOf(text).replace(/(.{4})(?=.)/g, '$1 ');
}

/** Groups the digits of a field while it is typed in and keeps the caret behind the same digit. */
export function groupTyped(input: HTMLInputElement): void {
  const grouped = groupDigits(input.value);
  if (grouped === input.value) return;
  const caret = groupDigits(input.value.slice(0, input.selectionStart ?? undefined)).length;
  input.value = grouped;
  input.setSelectionRange(caret, caret);
}
