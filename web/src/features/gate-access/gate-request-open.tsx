import { HAS_24_HOUR_ACCESS, mayRequest24HourAccess } from '@gatehouse/contract/gate-access';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { useOpenRequest } from '#api/requests.ts';
import { OpenRequest } from '#ui/reference.tsx';
import { GateRequestAction } from './gate-request-action.tsx';

type Props = {
  ledger: Ledger;
  /** Whether there is one, whenever that changes. */
  onAsked?: (isAsked: boolean) => void;
  isOnPass?: boolean;
};

/**
 * The 24-hour access request of a rental that the facility has not done yet, or, where `onAsked` is
 * missing, the button that asks for it; on the gate pass one or the other, where there is something
 * to ask for. One part for all, because each is a hash in every page.
 */
export default function GateRequest({ ledger, onAsked, isOnPass = false }: Props) {
  if (isOnPass) return <OnPass ledger={ledger} />;
  return onAsked ? (
    <OpenOne ledger={ledger} onAsked={onAsked} />
  ) : (
    <GateRequestAction ledger={ledger} />
  );
}

function OnPass({ ledger }: { ledger: Ledger }) {
  const [isAsked, setAsked] = useState(false);
  const { timeZoneId } = ledger;
  if (!mayRequest24HourAccess(timeZoneId) || timeZoneId === HAS_24_HOUR_ACCESS) return null;
  return (
    <>
      {!isAsked && <GateRequestAction ledger={ledger} isOnPass />}
      <OpenOne ledger={ledger} onAsked={setAsked} />
    </>
  );
}

function OpenOne({ ledger, onAsked }: Required<Omit<Props, 'isOnPass'>>) {
  const { open } = useOpenRequest(formTypes.gateAccess, ledger, false);
  const line = useRef<HTMLParagraphElement>(null);
  const isAsked = open !== undefined;
  useEffect(() => {
    // The button that asked goes away, and this line takes its focus.
    const row = line.current?.closest('dd, li');
    if (row?.contains(document.activeElement)) line.current?.querySelector('a')?.focus();
    onAsked(isAsked);
  }, [isAsked, onAsked]);
  return (
    open && (
      <p ref={line} className="relative z-1 mt-1 font-normal">
        <OpenRequest what={t('24-hour access')} {...open} />
      </p>
    )
  );
}
