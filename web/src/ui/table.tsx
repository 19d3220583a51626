/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   A table displayed as blocks loses its roles in some browsers, so they are written out. */
import type { Key, ReactNode } from 'react';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /**
   * Where it is under 640 px in a row of two lines: the columns `beside` share the first line,
   * one `below` has the second. Its value must say what it is, because its header is not shown. One
   * that is `wide` has its header above it and the whole width.
   */
  onPhone?: 'beside' | 'below' | 'wide';
  /** The class of its width from 640 px, in a table that `isFixed`. */
  width?: string;
};

type TableProps<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => Key;
  /** Shown under the head where there are no rows. */
  empty?: ReactNode;
  /** From 640 px no content moves the columns, and cells are on the first line of their row. */
  isFixed?: boolean;
  /** Under 640 px its rows of two lines are 56 px high: a year of months is one screen. */
  isDense?: boolean;
};

/** A table from 640 px; under that each row is a card with the same labels, or has two lines. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  isFixed = false,
  isDense = false,
}: TableProps<Row>) {
  return (
    <div className="@container -mt-2 sm:mt-0">
      <table role="table" className={`block w-full sm:table ${isFixed ? 'sm:table-fixed' : ''}`}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-sm:sr-only sm:table-header-group">
          <tr role="row">
            {columns.map(({ header, align, width = '' }) => (
              <th
                key={header}
                role="columnheader"
                scope="col"
                className={`h-12 px-3 text-13 font-medium whitespace-nowrap text-muted first:pl-0 last:pr-0 ${side(align)} ${width}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block sm:table-row-group sm:border-t sm:border-line">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={`flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line last:border-0 last:pb-0 sm:table-row sm:py-0 ${isDense ? 'py-2 max-sm:leading-tight' : 'py-2'}`}
            >
              {columns.map(({ header, cell, align, onPhone }) => (
                <td
                  key={header}
                  role="cell"
                  className={`${isDense ? '' : 'py-1'} sm:table-cell sm:h-12 sm:px-3 sm:py-2 sm:first:pl-0 sm:last:pr-0 ${side(align)} ${phone(onPhone)} ${isFixed ? 'sm:align-baseline' : ''}`}
                >
                  {(onPhone === undefined || onPhone === 'wide') && (
                    <span aria-hidden="true" className="shrink-0 text-15 text-muted sm:hidden">
                      {header}
                    </span>
                  )}
                  <div
                    className={
                      onPhone === undefined ? 'min-w-0 max-sm:ml-auto max-sm:text-right' : 'min-w-0'
                    }
                  >
                    {cell(row)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr role="row" className="block sm:table-row">
              <td
                role="cell"
                colSpan={columns.length}
                className="block py-6 text-muted sm:table-cell sm:text-center"
              >
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function phone(onPhone: Column<never>['onPhone']): string {
  if (onPhone === undefined)
    return 'flex basis-full items-baseline justify-between gap-x-4 max-sm:@max-[15rem]:flex-wrap';
  if (onPhone === 'wide') return 'block basis-full';
  return onPhone === 'below' ? 'order-last basis-full' : 'block';
}

function side(align: 'right' | undefined): string {
  return align === 'right' ? 'tabular-nums sm:text-right' : 'text-left';
}
