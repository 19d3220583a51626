/**
 * Loaded into a server before anything else (`--import`): its clock is CLOCK_SHIFT_MS ahead, so
 * that a test need not wait for an hour. The database's clock does not change; payments do not
 * depend on it.
 */
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + shift;
  }
} as DateConstructor; // called as a function, which no code of ours does, it would throw
