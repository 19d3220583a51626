import type { SheetField } from './headings.ts';

/**
 * What is applied to all faults of a kind: by the kind, and with what where it needs something, as
 * `area-code` with `817`. `leave-out` of any kind leaves its rows out.
 */
export type Remedies = ReadonlyMap<string, string>;

/** What is wrong with values of a sheet, and what may be done with all that have it. */
const kinds = {
  'two-digit-year': [
    'a day with a year of two digits',
    [
      'two-digit-year',
      'read them as month/day/20YY, and as 19YY where that is over ten years ahead',
    ],
  ],
  'day-first': [
    'a day with more than 12 months',
    ['day-first', 'read all days of the files as day/month/year'],
  ],
  day: ['what is no day'],
  sum: ['what is no sum of money'],
  phone: ['what is no phone number in use', ['phone', 'leave the phone empty']],
  'area-code': [
    'a phone number without its area code',
    ['area-code=817', 'put an area code before them'],
    ['phone', 'leave the phone empty'],
  ],
  state: ['what is no state', ['state', 'leave the state empty']],
  'zip-zeros': [
    'a ZIP code that is short of a digit, as a spreadsheet drops zeros',
    ['zip-zeros', 'put the zeros before them'],
  ],
  zip: ['what is no ZIP code', ['zip', 'leave the ZIP code empty']],
  'yes-no': ['what is neither yes nor no', ['yes-no', 'leave it empty']],
  email: ['what is no email', ['email', 'keep these tenants without a sign-in']],
  'two-emails': ['several emails in one cell', ['two-emails', 'take the first of each']],
  size: ['what is no size such as 10x20', ['size=10x20', 'give all of them this size']],
  'no-size': [
    'a unit that is not here yet and has no size',
    ['no-size=10x20', 'give all of them this size'],
  ],
  'no-type': [
    'a unit that is not here yet and has no type',
    ['no-type=Storage', 'give all of them this type'],
  ],
  'one-name': [
    'a name of one word',
    ['one-name', 'keep the word as the first name and a dash as the last'],
  ],
  'same-name': [
    'one name with other contact data in another row',
    ['same-name=one', 'they are one tenant, with the first row’s data'],
    ['same-name=two', 'they are different tenants'],
  ],
  'tenant-differs': [
    'one tenant number with two names',
    ['tenant-differs', 'take the name of the first row'],
  ],
  'gate-code': [
    'what is no gate code of 4 to 18 letters and digits',
    ['gate-code', 'leave it out: a new code is given at the gate'],
  ],
  'gate-zeros': [
    'a gate code that is shorter than the others, as a spreadsheet drops zeros',
    ['gate-zeros', 'put zeros before them'],
    ['gate-zeros=as-is', 'take them as they are'],
  ],
  facility: ['a facility that is not here', ['facility=TXDFW03', 'they are of this facility']],
  twice: ['a unit with the same move-in as in another row'],
  'no-unit': ['a row with a tenant and no unit'],
  empty: ['an empty cell where a lease needs one'],
  refused: ['what the import refuses'],
} satisfies Record<string, [says: string, ...remedies: [string, string][]]>;
export type FaultKind = keyof typeof kinds;

/**
 * A value of a sheet that cannot be taken, where it is, and of whom. `says` is more than its kind.
 */
export type SheetFault = {
  kind: FaultKind;
  file: string;
  line: number;
  field: SheetField | null;
  heading: string | null;
  value: string;
  tenant: string;
  unit: string;
  says?: string;
};

/** All faults of a kind in a column: how many, the first of them, and what may be done with all. */
export type FaultGroup = {
  kind: FaultKind;
  heading: string | null;
  says: string;
  count: number;
  first: { file: string; line: number; value: string; tenant: string; unit: string }[];
  remedies: { remedy: string; says: string }[];
};

const FIRST = 5;

/** Groups faults by kind and column, the most frequent first; every kind is there. */
export function groupFaults(faults: SheetFault[]): FaultGroup[] {
  const groups = new Map<string, FaultGroup>();
  for (const { kind, heading, says = '', file, line, value, tenant, unit } of faults) {
    const key = [kind, heading, says.replace(/\d[\d.,/-]*/g, '0')].join('|');
    const [known, ...remedies]: [string, ...[string, string][]] = kinds[kind];
    const group = groups.get(key) ?? {
      kind,
      heading,
      says: says === '' ? known : says,
      count: 0,
      first: [],
      remedies: [
        ...remedies.map(([remedy, does]) => ({ remedy, says: does })),
        ...(kind === 'refused'
          ? []
          : [{ remedy: `${kind}=leave-out`, says: 'leave these rows out' }]),
      ],
    };
    group.count += 1;
    if (group.first.length < FIRST) group.first.push({ file, line, value, tenant, unit });
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((one, other) => other.count - one.count);
}

/** What `area-code=817` and `email` say, by kind; null for a remedy that is none. */
export function readRemedies(texts: string[]): Remedies | null {
  const pairs = texts.map((text): [string, string] => {
    const [kind = '', ...rest] = text.split('=');
    return [kind.trim(), rest.join('=').trim()];
  });
  return pairs.every(([kind]) => Object.hasOwn(kinds, kind)) ? new Map(pairs) : null;
}

/** Whether the rows of a kind are left out. */
export const leavesOut = (remedies: Remedies, kind: FaultKind) =>
  remedies.get(kind) === 'leave-out';
