import type { ReturnCase, ReturnResult } from '../models/bank-returns.ts';
import { inWorkerPool } from '../models/worker-pool.ts';
import { mustBe, type Proof } from '../harness/proof.ts';

const CODES = [
  'R01',
  'R02',
  'R03',
  'R04',
  'R05',
  'R07',
  'R08',
  'R09',
  'R10',
  'R11',
  'R16',
  'R20',
  'R29',
];
const DAYS = [2, 5, 59, 60];
const CASES_A_TASK = 4;

/**
 * Every way in which a bank debit can come back, each reported twice. Every size runs all of them.
 */
export const bankReturns: Proof<{ codes: number }> = {
  name: 'R15',
  title: 'A returned bank payment is taken back once, and stops or continues as its code says',
  sizes: { small: { codes: CODES.length }, full: { codes: CODES.length } },
  async run({ codes }, _seed, stage) {
    const cases: ReturnCase[] = CODES.slice(0, codes).flatMap((code) =>
      DAYS.flatMap((day) =>
        [false, true].flatMap((refundedBefore) =>
          (['tenant', 'autopay'] as const).map((by) => ({ code, day, refundedBefore, by })),
        ),
      ),
    );
    const tasks = Array.from({ length: Math.ceil(cases.length / CASES_A_TASK) }, (_, index) =>
      cases.slice(index * CASES_A_TASK, (index + 1) * CASES_A_TASK),
    );
    const results = (
      await inWorkerPool<ReturnResult[]>(tasks, { stage, module: 'bank-returns.ts' })
    ).flat();
    const faulty = results.filter(({ faults }) => faults.length > 0);
    for (const { returned, faults } of faulty.slice(0, 5))
      stage.say(`  ${JSON.stringify(returned)}: ${faults.join('; ')}`);
    return [
      mustBe(
        'returns that were not taken back once or not followed as their code says',
        faulty.length,
        0,
      ),
      mustBe('returns, each reported twice', results.length, cases.length),
    ];
  },
};
