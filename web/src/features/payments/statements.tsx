import type { Statement } from '@gatehouse/contract/papers';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { fetchStatementPaper, useListStatementsQuery } from '#api/papers.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { monthName } from './month-name.ts';
import { PaperButton } from './paper-button.tsx';

type Props = {
  tenantId: string;
  /** The units that the tenant record rents; none where its rentals have ended. */
  unitNames: string[];
};

/** The monthly statements of a tenant record, newest first. */
export function Statements({ tenantId, unitNames }: Props) {
  const load = useListStatementsQuery(tenantId);
  return (
    <Card title={t('Statements')} description={descriptionOf(unitNames)}>
      <Loadable
        load={load}
        failure={t('The statements could not be loaded.')}
        skeleton="h-12 w-full"
      >
        {(statements) => <Months key={tenantId} tenantId={tenantId} statements={statements} />}
      </Loadable>
    </Card>
  );
}

function descriptionOf(unitNames: string[]): string {
  if (unitNames.length === 0)
    return t(
      'Each month of your rentals: the charges, and the payments with their receipt numbers.',
    );
  const units = unitNames.join(', ');
  return unitNames.length > 1
    ? t("Each month's charges and payments on units {units}.", { units })
    : t("Each month's charges and payments on unit {units}.", { units });
}

/** Half a year is what is asked for; the rest is behind a button. */
const SHOWN_FIRST = 6;

function Months({ tenantId, statements }: { tenantId: string; statements: Statement[] }) {
  const [isWhole, showWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The button that was pressed is gone: what it showed continues where it was.
  useEffect(() => {
    if (isWhole) list.current?.children.item(SHOWN_FIRST)?.querySelector('button')?.focus();
  }, [isWhole]);
  if (statements.length === 0)
    return (
      <p>{t('There are no statements yet. The first one comes after the end of this month.')}</p>
    );
  const shown = isWhole ? statements : statements.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul ref={list} className="-my-2 divide-y divide-line">
        {shown.map(({ number, month }) => (
          <li
            key={number}
            className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-2"
          >
            <span>{monthName(month)}</span>
            <PaperButton
              label={t('Download')}
              about={t('the statement of {month}', { month: monthName(month) })}
              fetchPaper={() => fetchStatementPaper(tenantId, number)}
            />
          </li>
        ))}
      </ul>
      {shown.length < statements.length && (
        <Button variant="quiet" className="mt-3 -ml-3" onClick={() => showWhole(true)}>
          <span>
            {rich('Show {count} earlier{statements}', {
              count: <span>{statements.length - shown.length}</span>,
              statements: <span className="sr-only"> {t('statements')}</span>,
            })}
          </span>
        </Button>
      )}
    </>
  );
}
