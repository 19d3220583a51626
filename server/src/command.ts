/** What an operator types before the name of a command: `gatehouse` where `ops/bin/gatehouse` runs it, npm's way in a checkout. */
export const COMMAND = process.env['GATEHOUSE_COMMAND'] ?? 'npm run cli --';
