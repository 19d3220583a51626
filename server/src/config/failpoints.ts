/** The moments of a payment at which a crash must lose nothing (R2). */
export const failpoints = [
  'after-tx1',
  'before-send',
  'after-accept',
  'after-answer',
  'inside-tx2',
  'after-tx2',
] as const;
export type FailpointName = (typeof failpoints)[number];

/** Passes a named moment; if it is armed, the process is killed there. */
export type Failpoint = (name: FailpointName) => void;

/**
 * Arms one failpoint, or none. The process kills itself with SIGKILL, so that no further code runs:
 * no answer, no clean-up, no statement. Set by the environment for kill tests only; the live
 * profile refuses to start with it.
 */
export function armFailpoint(armed: FailpointName | undefined): Failpoint {
  return (name) => {
    if (name === armed) process.kill(process.pid, 'SIGKILL');
  };
}
