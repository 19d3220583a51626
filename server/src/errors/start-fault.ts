/**
 * A situation that keeps the server from starting and that its operator can put right: `message` is
 * one sentence for them.
 */
export class StartFault extends Error {
  override name = 'StartFault';
}
