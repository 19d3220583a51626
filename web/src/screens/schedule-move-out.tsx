import { formatMoney } from '@gatehouse/contract/money';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import type { Facility } from '@gatehouse/contract/facilities';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { useListLedgersQuery } from '#api/ledgers.ts';
import { useSession } from '#session/use-session.ts';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Fact, Facts } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';

/** Points to the operator's own form: nothing is done here. What will happen is said before. */
export default function ScheduleMoveOut() {
  const session = useSession();
  const load = useGetFacilityQuery();
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <h1 className="text-24 font-semibold">{t('Schedule Move-Out')}</h1>
      <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2">
        <Card title={t('Moving out')}>
          <Loadable
            load={load}
            failure={t('The facility information could not be loaded.')}
            skeleton="h-40 w-full"
          >
            {(facility) => <Directions facility={facility} />}
          </Loadable>
        </Card>
        <Card title={t('What happens then')}>
          <ol className="flex list-decimal flex-col gap-2 pl-5">
            <li>{t('The facility confirms your day. Rent and gate code go on until then.')}</li>
            <li>{t('By that day you empty the unit and take your lock off.')}</li>
            <li>{t('The unit’s account is settled, and you get its final statement by email.')}</li>
          </ol>
        </Card>
      </div>
      {session && <Costs key={session.currentTenantId} tenantId={session.currentTenantId} />}
    </div>
  );
}

/** What each rental owes today, and what its rent is until it ends. */
function Costs({ tenantId }: { tenantId: string }) {
  const { data: ledgers } = useListLedgersQuery([tenantId]);
  if (ledgers === undefined || ledgers.length === 0) return null;
  return (
    <Card
      title={t('What it costs')}
      description={t(
        'What is owed on that day is still to be paid. Your lease says whether days that you paid for after it are refunded.',
      )}
    >
      <Facts>
        {ledgers.map(({ id, unitName, balance, rentalRate }) => (
          <Fact key={id} label={unitName}>
            <span className={balance > 0 ? 'text-bad' : ''}>
              {balance > 0
                ? t('{sum} owed today', { sum: formatMoney(balance) })
                : t('Nothing owed today')}
            </span>
            <span className="block font-normal text-muted">
              {t('Rent {sum} a month until you leave', { sum: formatMoney(rentalRate) })}
            </span>
          </Fact>
        ))}
      </Facts>
    </Card>
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
              <a
                href={phoneHref(phone)}
                className="link inline-flex min-h-11 items-center whitespace-nowrap"
              >
                {formatPhone(phone)}
              </a>
            ),
          })}
        </p>
      )}
    </div>
  );
}
