/** Puts the focus into the first field of a form that was asked for, when it appears. */
export function focusFirst(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('input, textarea')?.focus();
}
