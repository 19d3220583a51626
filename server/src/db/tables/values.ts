/** Text `YYYY-MM-DD`; the driver is configured not to parse dates. */
export type CalendarDate = string;
/** Integer cents; `bigint` in the table, a safe integer here. */
export type Cents = number;
