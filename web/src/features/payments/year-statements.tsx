import { t } from '@gatehouse/language/t';
import { fetchYearStatementPaper, useListYearStatementsQuery } from '#api/papers.ts';
import { Card } from '#ui/card.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { PaperButton } from './paper-button.tsx';

/**
 * What a tenant record paid in each calendar year, for its tax adviser; nothing where it never
 * paid.
 */
export function YearStatements({ tenantId }: { tenantId: string }) {
  const { data, error, isFetching, refetch } = useListYearStatementsQuery(tenantId);
  if (data?.length === 0) return null;
  if (data === undefined && (error === undefined || isFetching)) return null;
  return (
    <Card
      title={t('Payments by year')}
      description={t(
        'Everything paid in a calendar year and what it was for, for your records or your tax adviser.',
      )}
    >
      {data ? (
        <ul className="-my-2 divide-y divide-line">
          {data.map(({ year, isOver }) => (
            <li
              key={year}
              className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-2"
            >
              <span>{isOver ? year : t('{year}, so far', { year })}</span>
              <PaperButton
                label={t('Download')}
                about={t('the payments of {year}', { year })}
                fetchPaper={() => fetchYearStatementPaper(tenantId, year)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <LoadFailure onTryAgain={refetch}>
          {t('The payments by year could not be loaded.')}
        </LoadFailure>
      )}
    </Card>
  );
}
