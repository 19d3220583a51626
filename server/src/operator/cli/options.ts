import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Schema } from '@gatehouse/contract/endpoint';
import { FORMULA } from '@gatehouse/contract/formula';
import { invisibleIn, plainNumber } from '@gatehouse/contract/typed';
import { InvalidArgumentError, Option } from 'commander';
import { calendarDate } from './facilities.ts';
import { shapeOf, type Shape } from './shape.ts';

/**
 * The options for the fields of a body, with their help as the schema has it, and what makes the
 * body of those that were given: `ledgerId` is `--ledger`, `isTaxed` `--taxed`.
 */
export function optionsOf(body: Schema): {
  options: Option[];
  bodyOf: (given: object) => Record<string, unknown>;
} {
  const { properties = {}, required = [] } = shapeOf(body);
  const fields = Object.entries(properties).map(([field, shape]) => ({
    field,
    option: optionOf(field, shape).makeOptionMandatory(required.includes(field)),
  }));
  return {
    options: fields.map(({ option }) => option),
    bodyOf: (given) =>
      Object.fromEntries(
        fields.map(({ field, option }) => [
          field,
          (given as Record<string, unknown>)[option.attributeName()],
        ]),
      ),
  };
}

/** More choices, such as the states, the help does not name. */
const MOST_NAMED = 9;

function optionOf(field: string, shape: Shape): Option {
  const name = field
    .replace(/Ids?$/, '')
    .replace(/^is(?=[A-Z])/, '')
    .replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);
  const named = (value: string) => new Option(`--${name}${value}`, helpOf(shape));
  if (shape.type === 'boolean') return named('');
  if (shape.type === 'array') return named(' <id...>').argParser(recordIds);
  if (shape.enum !== undefined && shape.enum.length <= MOST_NAMED)
    return named(' <choice>').choices(shape.enum);
  if (shape.type === 'integer') return named(' <number>').argParser(wholeNumber);
  if (shape.type === 'number') return named(' <dollars>').argParser(dollarAmount);
  if (shape.format === 'pdf') return named(' <file>').argParser(pdfFile);
  if (shape.format === 'date') return named(' <day>').argParser(calendarDate);
  if (shape.format === 'uuid') return named(' <id>').argParser(recordId);
  return named(' <text>');
}

/** `New code` with its hint as `new code: a random one unless one is named`. */
function helpOf({ title, description, names = {}, enum: choices = [] }: Shape): string {
  const said = [title, description].filter((words) => words !== undefined);
  const help = said.map((words) => words.replace(/^./, begunSmall).replace(/\.$/, '')).join(': ');
  const meant = Object.entries(names).filter(
    ([choice, words]) => choice.toLowerCase() !== words.toLowerCase(),
  );
  return meant.length === 0 || choices.length > MOST_NAMED
    ? help
    : `${help}; ${meant.map(([choice, words]) => `${choice}: ${words}`).join(', ')}`;
}

function begunSmall(letter: string): string {
  return letter.toLowerCase();
}

/** `--dry-run`, and what it does; without words, what it does for a change. */
export function dryRunOption(says = 'print what would change, and change nothing'): Option {
  return new Option('--dry-run', says);
}

/** `--by`: the caller's name for the audit trail. */
export function byOption(): Option {
  return new Option('--by <name>', 'your name, for the audit trail')
    .argParser(callerName)
    .default(userInfo().username);
}

/** `--by` and `--why`, for what the audit trail notes. */
export function callerOptions(): Option[] {
  return [byOption(), new Option('--why <text>', 'the reason, for the audit trail').default('')];
}

/** `--facility` of what runs at all of them without it. */
export function facilityOption(): Option {
  return new Option('--facility <code>', 'only this facility, by its location code (default: all)');
}

/** A name that others read: none with an invisible character or the beginning of a formula. */
export function callerName(text: string): string {
  const name = text.normalize().trim();
  if (invisibleIn(name) !== undefined || FORMULA.test(name))
    throw new InvalidArgumentError(
      'It must be a name without invisible characters that does not begin with =, +, - or @.',
    );
  return name;
}

/** What reads a UUID; `fault` is the sentence for any other text. */
export function uuid(fault: string): (text: string) => string {
  return (text) => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
      throw new InvalidArgumentError(fault);
    return text.toLowerCase();
  };
}

const recordId = uuid(
  'It must be an id such as 7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e; "tenants find" and "tenants show" print them.',
);

function recordIds(text: string, before: string[] = []): string[] {
  return [...before, recordId(text)];
}

/** Digits, with decimals or without; how many decimals, the verb says. */
function dollarAmount(text: string): number {
  const plain = plainNumber(text);
  if (!/^\d{1,9}(\.\d+)?$/.test(plain))
    throw new InvalidArgumentError('It must be an amount in dollars such as 25 or 25.50.');
  return Number(plain);
}

function pdfFile(path: string): string {
  try {
    return `data:application/pdf;base64,${readFileSync(path).toString('base64')}`;
  } catch {
    throw new InvalidArgumentError('The file cannot be read.');
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** A count that an option gives, of at most six digits. */
export function numberFrom1(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
