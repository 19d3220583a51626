import { parseAmount } from './amount.ts';

/** The values of a form by their names, each as what the caller says it is. */
export class FormReader {
  readonly #values: Record<string, unknown>;

  constructor(values: Record<string, unknown>) {
    this.#values = values;
  }

  /** What was typed, trimmed; empty where nothing was. */
  text(name: string): string {
    const value = this.#values[name];
    if (typeof value === 'string') return value.trim();
    return typeof value === 'number' ? String(value) : '';
  }

  /** As typed, for what may begin or end with a space. */
  password(name: string): string {
    const value = this.#values[name];
    return typeof value === 'string' ? value : '';
  }

  /** The field under its name, or nothing where it is empty. */
  optionalText<Name extends string>(name: Name): { [K in Name]?: string } {
    const text = this.text(name);
    return text === '' ? {} : ({ [name]: text } as { [K in Name]?: string });
  }

  /** Dollars of a field that its input has checked. */
  amount(name: string): number {
    const amount = parseAmount(this.text(name));
    if (amount === null) throw new Error(`${name} is no amount`);
    return amount;
  }

  /** Dollars under the field's name, or nothing where it is empty. */
  optionalAmount<Name extends string>(name: Name): { [K in Name]?: number } {
    return this.text(name) === ''
      ? {}
      : ({ [name]: this.amount(name) } as { [K in Name]?: number });
  }

  isYes(name: string): boolean {
    return this.#values[name] === true;
  }

  /** One of a few; the first where it is none of them. */
  one<const Choices extends readonly [string, ...string[]]>(
    name: string,
    choices: Choices,
  ): Choices[number] {
    return choices.find((choice) => choice === this.#values[name]) ?? choices[0];
  }

  list(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}

/** The fields of a native form. */
export function readForm(form: HTMLFormElement): FormReader {
  return new FormReader(Object.fromEntries(new FormData(form)));
}

/** The text of a value that an input hands to its check. */
export function typedText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * The record of a form of its own: else react-admin fills it in from the record of the page or row
 * around it, and again whenever that is read anew.
 */
export const noRecord = {};
