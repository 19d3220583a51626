const MINUTE = 60_000;

/** After this long without a sign of life the session ends; the server holds to the same. */
export const IDLE_END = 30 * MINUTE;
/** From here on the visitor is warned. */
export const IDLE_WARNING = 28 * MINUTE;

/** The state by the wall clock, which continues while a machine sleeps. */
export function idleState(lastSeen: number, now: number): 'active' | 'warned' | 'ended' {
  const away = now - lastSeen;
  if (away >= IDLE_END) return 'ended';
  return away >= IDLE_WARNING ? 'warned' : 'active';
}

/** The time left until the end, as `1:59`. */
export function timeLeft(lastSeen: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((lastSeen + IDLE_END - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
