let offsetMs = 0;

/** Notes the Date header of an answer of the server. */
export function noteServerTime(date: string | null | undefined): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) offsetMs = at - Date.now();
}

/**
 * The time by the server's clock, to some seconds; by the device's until the server has answered.
 * For calendar days: a device's clock may be wrong by years.
 */
export function serverNow(): Date {
  return new Date(Date.now() + offsetMs);
}
