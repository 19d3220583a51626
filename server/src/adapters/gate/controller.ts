/** A unit as a gate should know it; `access` is null where no code of it opens any more. */
export type GateUnit = { unitId: string; unit: string; access: UnitAccess | null };

/** `schedule` is the name of the gate schedule; a suspended code is known and does not open. */
export type UnitAccess = { code: string; scheduleId: number; schedule: string; isSuspended: boolean };

/** What every message says beside its units. `sequence` grows with each of a facility: an older one that comes late is stale. */
export type GateMessage = { facility: string; sequence: number; at: Date };

/**
 * What drives the gates of the facilities, or carries to it what we say. It is told of changes as they come and of everything
 * once a night; the same message twice is as good as once. Both of these throw GateUnavailable, and then the message may have
 * arrived or not.
 */
export type GateController = {
  /** Tells another controller from this one: what was told to that one, this one does not know. */
  target: string;
  /** Whether it is there and takes us in; it learns nothing. Throws GateUnavailable. */
  greet(): Promise<void>;
  /** Tells of units that changed. `readAll` gives all of the facility, for who must write everything anew. */
  push(message: GateMessage, changes: GateUnit[], readAll: () => Promise<GateUnit[]>): Promise<void>;
  /**
   * Tells of all units of the facility: what is not among them goes. Answers the names of the units that the gate had
   * otherwise, or null where it does not say.
   */
  replace(message: GateMessage, units: GateUnit[]): Promise<string[] | null>;
};

/** The gate's controller cannot be reached, is full or refuses us. */
export class GateUnavailable extends Error {
  override name = 'GateUnavailable';
}

/** A unit by its name, and all else that is known of it as one text. */
export type UnitState = { unit: string; state: string };

/** The names of the units that are on one side alone, or otherwise on the other. */
export function differing(before: UnitState[], after: UnitState[]): string[] {
  const [had, has] = [byUnit(before), byUnit(after)];
  const names = new Set([...before, ...after].map(({ unit }) => unit));
  return [...names].filter((unit) => had.get(unit) !== has.get(unit)).sort();
}

function byUnit(states: UnitState[]): Map<string, string> {
  return new Map(states.map(({ unit, state }) => [unit, state]));
}
