/** The day and the hour that the clocks of a zone show. */
export function timeIn(timeZone: string, at: Date): { date: string; hour: number } {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return { date: local.toPlainDate().toString(), hour: local.hour };
}
