import type { Statement } from '@gatehouse/contract/papers';
import { useState } from 'react';
import { fetchStatementPaper, useListStatementsQuery } from '#api/papers.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { monthName } from './month-name.ts';
import { PaperButton } from './paper-button.tsx';

type Props = {
  tenantId: string;
  /** The units that the statements of the tenant record cover. */
  unitNames: string[];
};

/** The monthly statements of a tenant record, newest first. */
export function Statements({ tenantId, unitNames }: Props) {
  const load = useListStatementsQuery(tenantId);
  const units = `${unitNames.length > 1 ? 'units' : 'unit'} ${unitNames.join(', ')}`;
  return (
    <Card title="Statements" description={`Each month's charges and payments on ${units}.`}>
      <Loadable load={load} failure="The statements could not be loaded." skeleton="h-12 w-full">
        {(statements) => <Months key={tenantId} tenantId={tenantId} statements={statements} />}
      </Loadable>
    </Card>
  );
}

/** Half a year is what is asked for; the rest is behind a button. */
const SHOWN_FIRST = 6;

function Months({ tenantId, statements }: { tenantId: string; statements: Statement[] }) {
  const [isWhole, showWhole] = useState(false);
  if (statements.length === 0) return 'There are no statements yet. The first one comes after the end of this month.';
  const shown = isWhole ? statements : statements.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className="-my-2 divide-y divide-line">
        {shown.map(({ number, month }) => (
          <li key={number} className="flex min-h-12 flex-wrap items-center justify-between gap-x-4">
            {monthName(month)}
            <div className="-mr-3 flex flex-col items-end">
              <PaperButton
                label="Download"
                about={`the statement of ${monthName(month)}`}
                fetchPaper={() => fetchStatementPaper(tenantId, number)}
              />
            </div>
          </li>
        ))}
      </ul>
      {shown.length < statements.length && (
        <Button variant="quiet" className="mt-3 -ml-3" onClick={() => showWhole(true)}>
          Show {statements.length - shown.length} earlier
        </Button>
      )}
    </>
  );
}
