import type { Ledger } from '@gatehouse/contract/ledgers';
import { LazyContent } from '#ui/lazy-content.tsx';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const form = lazyPart(() => import('./gate-request-form.tsx'));
const open = lazyPart(() => import('./gate-request-open.tsx'));

/** The 24-hour access request of a rental: its dialog, and what was sent. */
export function GateRequestAction({ ledger }: { ledger: Ledger }) {
  return (
    <>
      <FormDialogButton
        label="Request 24-hour access"
        about={`for ${ledger.unitName}`}
        // On phones the label fills the row's column.
        className="-ml-3"
        title="Request 24-hour access"
        description={`For unit ${ledger.unitName}. Tell the facility why you need to come outside business hours.`}
        form={form}
        formProps={{ ledger }}
      />
      <LazyContent isQuiet part={open} props={{ ledger }} />
    </>
  );
}
