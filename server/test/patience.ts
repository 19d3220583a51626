/** The time limit of waits in tests: generous, because the machine may be busy with proofs. */
export const patience = { timeout: 60_000 };
