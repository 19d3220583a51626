/**
 * The program name in help texts: `gatehouse` if `ops/bin/gatehouse` runs it, `npm run cli --` in a
 * checkout.
 */
export const COMMAND = process.env['GATEHOUSE_COMMAND'] ?? 'npm run cli --';
