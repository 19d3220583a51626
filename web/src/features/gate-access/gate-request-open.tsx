import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef } from 'react';
import { useOpenRequest } from '#api/requests.ts';
import { OpenRequest } from '#ui/reference.tsx';
import { GateRequestAction } from './gate-request-action.tsx';

type Props = {
  ledger: Ledger;
  /** Whether there is one, whenever that changes. */
  onAsked?: (isAsked: boolean) => void;
};

/**
 * The 24-hour access request of a rental that the facility has not done yet, or, where `onAsked` is
 * missing, the button that asks for it. One part for both, because each is a hash in every page.
 */
export default function GateRequest({ ledger, onAsked }: Props) {
  return onAsked ? (
    <OpenOne ledger={ledger} onAsked={onAsked} />
  ) : (
    <GateRequestAction ledger={ledger} />
  );
}

function OpenOne({ ledger, onAsked }: Required<Props>) {
  const { open } = useOpenRequest(formTypes.gateAccess, ledger, false);
  const line = useRef<HTMLParagraphElement>(null);
  const isAsked = open !== undefined;
  useEffect(() => {
    // The button that asked goes away, and this line takes its focus.
    const row = line.current?.closest('dd');
    if (row?.contains(document.activeElement)) line.current?.querySelector('a')?.focus();
    onAsked(isAsked);
  }, [isAsked, onAsked]);
  return (
    open && (
      <p ref={line} className="relative z-1 mt-1 font-normal text-balance">
        <OpenRequest what={t('24-hour access')} {...open} />
      </p>
    )
  );
}
