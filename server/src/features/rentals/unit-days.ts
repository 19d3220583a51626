/** Whether the database refused a rental because its unit is rented on some of its days (migration 0032). */
export function isOverlap(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return constraint === 'ledgers_overlap' || constraint === 'ledgers_current_unit';
}
