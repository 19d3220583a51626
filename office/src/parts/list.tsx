import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import {
  DataTable,
  type DataTableProps,
  ExportButton,
  FilterButton,
  List,
  Pagination,
  type RaRecord,
  TopToolbar,
  useListContext,
} from 'react-admin';
import { saveRows } from './csv.ts';
import { Empty } from './empty.tsx';

/** The most rows that are exported. */
const MOST_EXPORTED = 10_000;

type Props = Pick<
  DataTableProps,
  'rowClick' | 'bulkActionButtons' | 'expand' | 'isRowExpandable'
> & {
  title: string;
  /** Filters; those with `alwaysOn` are in sight, the others behind a button. */
  filters?: ReactElement[];
  /** What the list shows where nothing fits. */
  empty: ReactNode;
  /** Buttons in addition to the usual ones. */
  actions?: ReactNode;
  /** The name of the CSV file that the rows which fit the filters can be exported as. */
  exportAs?: string;
  sort?: { field: string; order: 'ASC' | 'DESC' };
  /** Filters that the reader cannot change. */
  filter?: Record<string, unknown>;
  /** A list inside of another page: it begins on its first page whenever it is opened. */
  isInner?: boolean;
  resource?: string;
  /** The columns. */
  children: ReactNode;
};

/** A list of the office: filters, a table by pages, export. */
export function OfficeList({
  title,
  filters = [],
  empty,
  actions,
  exportAs,
  isInner = false,
  rowClick = false,
  bulkActionButtons = false,
  expand,
  isRowExpandable,
  children,
  ...list
}: Props) {
  const isFilterHidden = filters.some(({ props }) => !(props as { alwaysOn?: boolean }).alwaysOn);
  return (
    <List
      {...list}
      title={title}
      filters={filters}
      empty={false}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 200]} />}
      actions={
        <TopToolbar>
          {isFilterHidden && <FilterButton />}
          {actions}
          {exportAs !== undefined && <ExportRows />}
        </TopToolbar>
      }
      disableSyncWithLocation={isInner}
      exporter={exportAs !== undefined && ((rows: RaRecord[]) => saveRows(rows, exportAs))}
      sx={{ '& .RaList-main': { minWidth: 0 } }}
    >
      {expand && <HeadOfExpand />}
      <DataTable
        rowClick={rowClick}
        bulkActionButtons={bulkActionButtons}
        expand={expand}
        isRowExpandable={isRowExpandable}
        empty={<Empty>{empty}</Empty>}
        sx={{
          '& td': { whiteSpace: 'nowrap' },
          '& td, & th': { px: { xs: 1, lg: 2 } },
          // Not the whole list: the buttons of selected rows are above the table.
          '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
        }}
      >
        {children}
      </DataTable>
    </List>
  );
}

/** Nothing for an empty list, whose disabled button would have no name on a phone. */
function ExportRows() {
  const { data = [] } = useListContext();
  return data.length === 0 ? null : <ExportButton maxResults={MOST_EXPORTED} label="Export rows" />;
}

/**
 * The head of the column that opens rows is hidden from screen readers by react-admin, as an empty
 * head of a column: it is none to them.
 */
function HeadOfExpand() {
  const { data } = useListContext();
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const head = place.current?.parentElement?.querySelector('th.RaDataTable-expandHeader');
    head?.setAttribute('role', 'presentation');
  }, [data]);
  return <span ref={place} hidden />;
}
