import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import { useOpenRequest } from '#api/requests.ts';
import { OpenRequest } from '#ui/reference.tsx';

/** The 24-hour access request of a rental that the facility has not done yet. */
export default function GateRequestOpen({ ledger }: { ledger: Ledger }) {
  const { open } = useOpenRequest(formTypes.gateAccess, ledger, false);
  return (
    open && (
      <p className="relative z-1 font-normal text-balance">
        <OpenRequest what="24-hour access" {...open} />
      </p>
    )
  );
}
