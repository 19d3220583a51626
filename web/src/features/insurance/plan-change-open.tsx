import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { useOpenRequest } from '#api/requests.ts';
import { OpenRequest } from '#ui/reference.tsx';

/** The change of a rental's protection plan that was asked for and is not done yet. */
export default function PlanChangeOpen({ ledger }: { ledger: Ledger }) {
  const { open } = useOpenRequest(formTypes.insurance, ledger, false);
  return (
    open && (
      <p className="relative z-1 font-normal">
        <OpenRequest what={t('A change')} {...open} />
      </p>
    )
  );
}
