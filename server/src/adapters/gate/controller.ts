/** The state of a unit at the gate; `access` is null where no code may open it. */
export type GateUnit = { unitId: string; unit: string; access: UnitAccess | null };

/** `schedule` is the name of the gate schedule; a suspended code is stored and does not open. */
export type UnitAccess = {
  code: string;
  /** Those of further persons, which open and are suspended as it is. */
  otherCodes?: string[];
  scheduleId: number;
  schedule: string;
  isSuspended: boolean;
};

/**
 * The header of every message. `sequence` grows with each message of a facility, so that a receiver
 * can ignore an older one that arrives late.
 */
export type GateMessage = { facility: string; sequence: number; at: Date };

/**
 * A controller of the facilities' gates. It receives changes as they happen and the whole state
 * once a night; messages are idempotent. Each method throws GateUnavailable, after which the
 * message may or may not have arrived.
 */
export type GateController = {
  /** Identifies the controller: another target has received nothing yet. */
  target: string;
  /**
   * Checks the connection and the credentials without changing anything. Throws GateUnavailable.
   */
  ping(): Promise<void>;
  /**
   * Sends the units that changed. `readAll` returns all units of the facility, for a controller
   * that rewrites its whole state.
   */
  push(
    message: GateMessage,
    changes: GateUnit[],
    readAll: () => Promise<GateUnit[]>,
  ): Promise<void>;
  /**
   * Sends all units of the facility; the controller removes any other. Returns the names of the
   * units that differed there, or null where it does not report them.
   */
  replace(message: GateMessage, units: GateUnit[]): Promise<string[] | null>;
};

/**
 * The gate controller cannot be reached, is full or refused the call. `isRefused`: it will refuse
 * the next one as well, so that a person must act.
 */
export class GateUnavailable extends Error {
  override name = 'GateUnavailable';
  readonly isRefused: boolean;

  constructor(
    message: string,
    { isRefused = false, ...options }: ErrorOptions & { isRefused?: boolean } = {},
  ) {
    super(message, options);
    this.isRefused = isRefused;
  }
}

/** A unit's name, and the rest of its state as one text. */
export type UnitState = { unit: string; state: string };

/** The names of the units that are missing on one side or have another state there, sorted. */
export function differing(before: UnitState[], after: UnitState[]): string[] {
  const [had, has] = [byUnit(before), byUnit(after)];
  const names = new Set([...before, ...after].map(({ unit }) => unit));
  return [...names].filter((unit) => had.get(unit) !== has.get(unit)).sort();
}

/** All states of each unit, which may have several codes. */
function byUnit(all: UnitState[]): Map<string, string> {
  const states = new Map<string, string>();
  for (const { unit, state } of all) states.set(unit, `${states.get(unit) ?? ''}${state}\n`);
  return states;
}
