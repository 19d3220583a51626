import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import type { Facility } from '@gatehouse/contract/facilities';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Loadable } from '#ui/loadable.tsx';

/** Points to the operator's own form: nothing is done here. */
export default function ScheduleMoveOut() {
  const load = useGetFacilityQuery();
  return (
    <div className="flex flex-col gap-4 sm:gap-6 lg:max-w-2xl">
      <h1 className="text-24 font-semibold">{t('Schedule Move-Out')}</h1>
      <Card title={t('Moving out')}>
        <Loadable
          load={load}
          failure={t('The facility information could not be loaded.')}
          skeleton="h-40 w-full"
        >
          {(facility) => <Directions facility={facility} />}
        </Loadable>
      </Card>
    </div>
  );
}

function Directions({ facility: { moveOutUrl, phone } }: { facility: Facility }) {
  return (
    <div className="flex flex-col items-start gap-4">
      {moveOutUrl === null ? (
        <p>{t('To schedule your move-out, please call the facility.')}</p>
      ) : (
        <>
          <p>
            {t(
              'To schedule your move-out, please fill in the move-out form on our website. Your rental goes on until the facility has confirmed the date.',
            )}
          </p>
          <a
            href={moveOutUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass('primary', 'max-sm:w-full sm:self-end')}
          >
            {t('Go to the move-out form')}
            <span className="sr-only"> {t('(opens in a new tab)')}</span>
          </a>
        </>
      )}
      {phone !== null && (
        <p className="text-muted">
          {rich('Questions? Call {phone}', {
            phone: (
              <a href={phoneHref(phone)} className="link inline-flex min-h-11 items-center">
                {formatPhone(phone)}
              </a>
            ),
          })}
        </p>
      )}
    </div>
  );
}
