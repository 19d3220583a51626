import type { StorageKind } from './storage-kind.ts';

/** Line drawings on a grid of 48 by 32, next to words that say the same. */
const drawings: Record<StorageKind, string> = {
  rv: 'M8 25H3V9a4 4 0 0 1 4-4h27l10 10v10h-4M17 25h14M8 11h10v6H8zM24 11h8l4 5H24z M12.5 28.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM35.5 28.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z',
  boat: 'M4 17h40l-6 8H11zM14 17l4-8h9l9 8M22 9v8M3 29q4-3 7.5 0t7 0 7 0 7 0 7 0 6 0',
  vehicle:
    'M7 24H3v-6l7-3 6-7h14l8 7 7 3v6h-4M16.5 24h15M13 15h23M23.5 8v7 M11.5 28a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM36.5 28a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z',
  household: 'M5 28V11h19v17zM24 28V17h18v11zM11 11v6h6v-6M9 4h11v7H9z',
};

export function StorageDrawing({ kind }: { kind: StorageKind }) {
  return (
    <svg
      viewBox="0 0 48 32"
      className="h-8 w-12 shrink-0 @max-[12rem]:hidden"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={drawings[kind]} />
    </svg>
  );
}
