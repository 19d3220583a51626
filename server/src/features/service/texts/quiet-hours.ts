/**
 * The hours of the facility's clock within which text messages go that no tenant has just asked
 * for. Within what the federal rule allows (47 CFR 64.1200(c)(1): 8 to 21) and the states' own that
 * begin later or end earlier: Florida 8 to 20, Connecticut 9 to 20, Texas on Sundays from noon.
 */
const HOURS = { usual: [9, 20], sunday: [12, 20] } as const;
const SUNDAY = 7;

/** When text messages may go next by the clocks of a zone; null where they may now. */
export function quietUntil(timeZone: string, at: Date): Date | null {
  const now = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  const [from, until] = hoursOf(now);
  if (now.hour >= from && now.hour < until) return null;
  const day = now.hour < from ? now : now.add({ days: 1 });
  const next = day.toPlainDate().toZonedDateTime({
    timeZone,
    plainTime: Temporal.PlainTime.from({ hour: hoursOf(day)[0] }),
  });
  return new Date(next.epochMilliseconds);
}

function hoursOf({ dayOfWeek }: Temporal.ZonedDateTime): readonly [number, number] {
  return dayOfWeek === SUNDAY ? HOURS.sunday : HOURS.usual;
}
