import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { isConnectionLost } from '../breakable-port.ts';
import { importFiles, type ImportFiles } from '../import-files.ts';
import type { Random } from '../../harness/random.ts';
import { LOCATION_CODE } from '../world.ts';
import {
  chargeOf,
  creditOf,
  dayOf,
  paymentOf,
  somePart,
  type Account,
  type Expected,
  type Step,
} from './step.ts';

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
];

/** The rows of an import's files of one day, with their effect by the rules. */
class Files {
  readonly expected: Expected[] = [];
  readonly #charges: string[] = [];
  readonly #payments: string[] = [];
  readonly #today: string;

  constructor(today: string) {
    this.#today = today;
  }

  get texts(): ImportFiles {
    const charges =
      'facility,charge_id,ledger_id,category,description,due_on,period_end,price,tax1,posted_on';
    const payments =
      'facility,payment_id,ledger_id,kind,paid_on,amount,method,taken_back,taken_back_on,taken_back_reason';
    const all: [string, string[]][] = [
      ['charges.csv', [charges, ...this.#charges]],
      ['payments.csv', [payments, ...this.#payments]],
    ];
    return all.flatMap(([name, lines]) =>
      lines.length === 1 ? [] : [[name, `${lines.join('\n')}\n`]],
    );
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
    this.#charges.push([LOCATION_CODE, randomUUID(), ledgerId, ...row].join(','));
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
    this.#payments.push([LOCATION_CODE, randomUUID(), account.ledgerId, ...row].join(','));
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
      model.takeBack(id, back);
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
    this.#payments.push([LOCATION_CODE, randomUUID(), account.ledgerId, ...row].join(','));
    this.expected.push(creditOf(account, cents));
  }

  #takenBack(cents: number, reason: string): string[] {
    return cents === 0 ? ['', '', ''] : [dollars(cents), this.#today, reason];
  }
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
