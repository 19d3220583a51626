import type { KeyboardEvent } from 'react';

/**
 * Props of every row of a list: arrow keys move between rows, Enter opens the one that has the
 * focus.
 */
export const rowKeys = {
  tabIndex: 0,
  onKeyDown(event: KeyboardEvent<HTMLTableRowElement>) {
    const row = event.currentTarget;
    if (event.target !== row) return;
    if (event.key === 'Enter') row.click();
    else if (event.key === 'ArrowDown') focus(row.nextElementSibling);
    else if (event.key === 'ArrowUp') focus(row.previousElementSibling);
    else return;
    event.preventDefault();
  },
};

function focus(row: Element | null): void {
  if (row instanceof HTMLElement) row.focus();
}
