/**
 * Whether the database refused a rental because its unit is rented on some of its days
 * (check_rental_overlap).
 */
export function isOverlap(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'ledgers_overlap';
}
