import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { autopayOf, savedMethodOf } from '#api/autopay-record.ts';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { buttonClass } from '#ui/button.tsx';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { AutopayProblem, nextChargeWords } from './next-charge.tsx';

/** Whether autopay is set up for a rental, with what, and what it takes next. */
export function AutopayRow({ ledger }: { ledger: Ledger }) {
  const load = useListAutopaysQuery(ledger.tenantId);
  const autopay = load.data && autopayOf(load.data, ledger.id);
  const isActive = autopay?.active;
  return (
    <Fact
      label={t('Autopay Status (Required)')}
      state={stateOf(autopay)}
      saved={autopay && String(isActive && savedMethodOf(autopay)?.label)}
      details={
        autopay?.nextCharge && <p className="tabular-nums">{nextChargeWords(autopay.nextCharge)}</p>
      }
      action={
        autopay && (
          <a
            href={`/billing-info?autopay=${ledger.id}`}
            className={buttonClass(isActive ? 'quiet' : 'soft', isActive ? '-mx-3' : '')}
          >
            <span>
              <span>{isActive ? t('Update') : t('Setup')}</span>
              <span className="sr-only"> {t('autopay for {unit}', { unit: ledger.unitName })}</span>
            </span>
          </a>
        )
      }
    >
      <Loadable
        load={{ ...load, data: autopay }}
        failure={t('The autopay status could not be loaded.')}
      >
        {(loaded) =>
          loaded.active ? (
            <>
              <span>{t('Active')}</span>
              <span className="font-normal">{`\u00a0·\u00a0${savedMethodOf(loaded)?.label}`}</span>
              <AutopayProblem record={loaded} />
            </>
          ) : (
            <span className="inline-block">{t('Not set up')}</span>
          )
        }
      </Loadable>
    </Fact>
  );
}

function stateOf(autopay: Autopay | undefined) {
  if (autopay === undefined) return 'none';
  if (!autopay.active) return 'missing';
  return autopay.problem === null ? 'done' : 'warned';
}
