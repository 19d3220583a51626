/**
 * What is wrong with a cell, a row or a file, in a sentence; `facility` is whose rows are kept out,
 * null: everybody's.
 */
export type Fault = {
  file: string;
  line: number | null;
  column: string | null;
  facility: string | null;
  says: string;
};

/** The most that are listed, and of which kinds the first is; all are counted. */
export const MOST_LISTED = 1000;

/**
 * The faults of an import. Of millions the first are kept, so that a wrong file does not fill the
 * memory.
 */
export class Faults {
  readonly listed: Fault[] = [];
  readonly byFile = new Map<string, number>();
  readonly #facilities = new Set<string>();
  readonly #kinds = new Set<string>();
  #isForAll = false;

  add(fault: Fault): void {
    this.byFile.set(fault.file, (this.byFile.get(fault.file) ?? 0) + 1);
    if (fault.facility === null) this.#isForAll = true;
    else this.#facilities.add(fault.facility);
    // However many there are of one kind, the first of another is listed.
    const kind = [fault.file, fault.column, fault.says.replace(/\d+/g, '0')].join('|');
    const isNew = this.#kinds.size < MOST_LISTED && !this.#kinds.has(kind);
    if (isNew) this.#kinds.add(kind);
    if (isNew || this.listed.length < MOST_LISTED) this.listed.push(fault);
  }

  /** Counts more of the same that are not listed. */
  addUnlisted(file: string, count: number): void {
    this.byFile.set(file, (this.byFile.get(file) ?? 0) + count);
  }

  get total(): number {
    return [...this.byFile.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether a file could not be read, or something else is wrong that is no single facility's. */
  get concernAll(): boolean {
    return this.#isForAll;
  }

  /** Whether something is wrong with what belongs to a facility, or with all of it. */
  concern(facility: string): boolean {
    return this.#isForAll || this.#facilities.has(facility);
  }
}

/** As `tenants.csv, line 12, email: must look like name@example.com.` */
export function faultText({ file, line, column, says }: Fault): string {
  const place = [
    file,
    ...(line === null ? [] : [`line ${line}`]),
    ...(column === null ? [] : [column]),
  ].join(', ');
  return `${place}: ${says}.`;
}
