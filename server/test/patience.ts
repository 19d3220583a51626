/** How long a test waits for what is to happen: beside busy proofs a second may pass over nothing. */
export const patience = { timeout: 60_000 };
