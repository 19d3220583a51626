import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { isConnectionLost } from '../breakable-port.ts';
import { importFiles, type ImportFiles } from '../import-files.ts';
import { Refusal } from '@gatehouse/server/src/errors/refusal.ts';
import type { Random } from '../../harness/random.ts';
import { LOCATION_CODE } from '../world.ts';
import {
  againFrom,
  chargeOf,
  creditOf,
  dayOf,
  paymentOf,
  somePart,
  type Account,
  type Expected,
  type Step,
} from './step.ts';
import { dollars, headers, slips, type FileName } from './slips.ts';

/** Files with charges and payments of rentals that are there and that owe, or have a credit. */
export const importSteps: Step[] = [
  {
    name: 'import',
    weight: 2,
    plan(sequence, random) {
      const files = new Files(dayOf(sequence));
      const accounts = random.chance(0.5) ? sequence.accounts : [random.pick(sequence.accounts)];
      for (const account of accounts)
        for (let rows = random.between(1, 3); rows > 0; rows--) files.add(account, random);
      const billed = accounts.filter(({ model }) =>
        model.charges.some(({ category }) => category === 'rent'),
      );
      const isBilledTwice = billed.length > 0 && random.chance(0.08);
      if (isBilledTwice) files.addRent(random.pick(billed), { isBilledAlready: true });
      else if (random.chance(0.1)) files.addRent(random.pick(accounts), { isBilledAlready: false });
      const way = random.weighted({ plain: 5, twice: 2, broken: 3 });
      const breaksAfter = random.between(0, 120);
      const importOnce = () => importFiles(sequence.session, sequence.ctx, files.texts);
      const run = async () => {
        if (way === 'broken') {
          sequence.port.breakIn(breaksAfter);
          await importOnce()
            .catch((error: unknown) => {
              if (!isConnectionLost(error)) throw error;
            })
            .finally(() => sequence.port.breakIn(null));
        }
        await importOnce();
        // The same files again: every row is there already.
        if (way === 'twice') await importOnce();
      };
      const refused = isBilledTwice ? 'the period was billed here already' : null;
      return { refused, run, expected: () => files.expected };
    },
  },
  {
    name: 'import refused for',
    weight: 4,
    situations: Object.keys(slips),
    plan(sequence, random) {
      const files = new Files(dayOf(sequence));
      files.add(random.pick(sequence.accounts), random);
      const drawn = random.shuffled(Object.entries(slips)).map(([name, [file, says, rowOf]]) => {
        const row = rowOf(random.pick(sequence.accounts), sequence);
        return { name, file, says, row, isRent: row[1] === 'rent' };
      });
      // Rents of one rental would be judged by each other.
      const made = [
        ...drawn.filter(({ isRent }) => isRent).slice(0, 1),
        ...drawn.filter(({ isRent }) => !isRent).slice(0, 4),
      ];
      for (const { file, row } of made) files.addRow(file, row);
      const run = async () => {
        const refusal = await importFiles(sequence.session, sequence.ctx, files.texts).then(
          () => 'none',
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            return error.message;
          },
        );
        const missing = made.find(({ says }) => !refusal.includes(says));
        if (missing !== undefined)
          throw new Error(`${missing.name} is no fault of the import: ${refusal}`);
      };
      const situations = made.map(({ name }) => name);
      return { refused: null, run, expected: () => [], situations };
    },
  },
];

/** The rows of an import's files of one day, with their effect by the rules. */
class Files {
  readonly expected: Expected[] = [];
  readonly #rows: Partial<Record<FileName, string[]>> = {};
  readonly #today: string;

  constructor(today: string) {
    this.#today = today;
  }

  get texts(): ImportFiles {
    return Object.entries(this.#rows).map(([name, rows]) => {
      const header = `facility,${headers[name as FileName]}`; // of a row that was added
      return [`${name}.csv`, `${[header, ...rows].join('\n')}\n`];
    });
  }

  /** A row under an id of its own. */
  addRow(file: FileName, cells: (string | number)[]): void {
    (this.#rows[file] ??= []).push([LOCATION_CODE, randomUUID(), ...cells].join(','));
  }

  add(account: Account, random: Random): void {
    if (random.chance(0.45)) this.#addCharge(account, random);
    else if (random.chance(0.6)) this.#addPayment(account, random);
    else this.#addCredit(account, random);
  }

  /** Rent of the period that follows what was billed, or of one that was billed. */
  addRent(account: Account, { isBilledAlready }: { isBilledAlready: boolean }): void {
    const { model, terms } = account;
    const last = model.charges.findLast(({ category }) => category === 'rent');
    const dueOn = isBilledAlready ? last!.dueOn : addDays(model.billedThrough, 1);
    const periodEnd = addDays(dueOn, 27);
    this.#charge(account, {
      category: 'rent',
      dueOn,
      periodEnd,
      cents: terms.rateCents,
      tax: 0,
    });
  }

  #addCharge(account: Account, random: Random): void {
    const category = random.pick(['service', 'insurance', 'fee', 'deposit']);
    const dueOn = addDays(this.#today, random.between(-30, 5));
    this.#charge(account, {
      category,
      dueOn,
      periodEnd: '',
      cents: random.between(825, 40_000),
      tax: random.pick([0, 825]),
    });
  }

  #charge(
    account: Account,
    {
      category,
      dueOn,
      periodEnd,
      cents,
      tax,
    }: Record<'category' | 'dueOn' | 'periodEnd', string> & { cents: number; tax: number },
  ): void {
    const { ledgerId, model } = account;
    const row = [category, 'Imported', dueOn, periodEnd, dollars(cents), dollars(tax), this.#today];
    this.addRow('charges', [ledgerId, ...row]);
    const period = category === 'rent' ? { periodEnd } : {};
    const due = chargeOf(account, { category, dueOn, ...period, total: cents + tax, tax1: tax });
    this.expected.push({
      ...due,
      enter(entry) {
        due.enter(entry);
        if (category === 'rent') model.billedThrough = periodEnd;
        // Each entry is posted by itself: what is to the credit settles it before the next one
        // comes.
        model.settle();
      },
    });
  }

  #addPayment(account: Account, random: Random): void {
    const cents = random.between(1, 60_000);
    const method = random.pick(['cash', 'check', 'moneyOrder']);
    const paid = paymentOf(account, cents, { capture: randomUUID(), method: 'imported' });
    const back = random.chance(0.2) ? somePart(random, cents) : 0;
    const reason = random.pick(['mistake', 'correction'] as const);
    const row = ['payment', this.#today, dollars(cents), method, ...this.#takenBack(back, reason)];
    this.addRow('payments', [account.ledgerId, ...row]);
    let id = '';
    this.expected.push({
      ...paid,
      enter(entry) {
        ({ id } = entry);
        paid.enter(entry);
      },
    });
    if (back === 0) return;
    const { model } = account;
    const enter = () => {
      model.takeBack(id, back, reason === 'mistake' ? againFrom(this.#today) : undefined);
      model.settle();
    };
    this.expected.push({
      account,
      kind: 'reversal',
      cents: back,
      enter,
      get of() {
        return id;
      },
    });
  }

  #addCredit(account: Account, random: Random): void {
    const cents = random.between(1, 30_000);
    const row = ['credit', this.#today, dollars(cents), '', ...this.#takenBack(0, '')];
    this.addRow('payments', [account.ledgerId, ...row]);
    this.expected.push(creditOf(account, cents));
  }

  #takenBack(cents: number, reason: string): string[] {
    return cents === 0 ? ['', '', ''] : [dollars(cents), this.#today, reason];
  }
}
