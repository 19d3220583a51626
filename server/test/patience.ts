/** The time limit of waits in tests: it ends what hangs, however busy the machine is. */
export const patience = { timeout: 300_000 };
