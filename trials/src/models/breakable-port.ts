import { inTurn, type Moment, type Port, type Session } from './session.ts';

/** A port whose connection can be made to break. */
export type BreakablePort = Port & {
  /**
   * The connection breaks at the statement after this many more, `before` it is run or with its
   * answer lost `after` it. Null takes it back. A transaction that is open then is rolled back,
   * unless it was its commit that was run.
   */
  breakIn(statements: number | null, when?: 'before' | 'after'): void;
};

/** One after the other, in the order in which they come, until the connection breaks. */
export function breakablePort(session: Session): BreakablePort {
  const lost = new WeakSet();
  let left: number | null = null;
  let when: 'before' | 'after' = 'before';
  const lose = async (transaction: object | null) => {
    if (transaction === null) return;
    lost.add(transaction);
    if (!session.isInSavepoint) return;
    session.isInSavepoint = false;
    await session.raw('ROLLBACK TO trx; RELEASE trx');
  };
  const isBreaking = (moment: Moment) => left !== null && moment !== 'rollback' && left-- === 0;
  return {
    ...inTurn(),
    breakIn(statements, side = 'before') {
      [left, when] = [statements, side];
    },
    async turn(transaction, moment, _text, work) {
      if (transaction !== null && lost.has(transaction)) {
        // The rollback of a transaction that is gone; its answer is not read.
        if (moment === 'rollback') return undefined as Awaited<ReturnType<typeof work>>;
        throw connectionLost();
      }
      if (!isBreaking(moment)) return work();
      left = null;
      if (when === 'after') await work();
      await lose(transaction);
      throw connectionLost();
    },
  };
}

export function isConnectionLost(error: unknown): boolean {
  return (error as { code?: string }).code === 'ECONNRESET';
}

function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}
