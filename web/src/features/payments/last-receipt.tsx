import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { CallError } from '#api/call.ts';
import { fetchReceiptPaper } from '#api/papers.ts';
import { useLazyListPaymentsQuery } from '#api/payments.ts';
import { PaperButton } from './paper-button.tsx';

/** Downloads the newest receipt of a rental. */
export default function LastReceipt({ ledger: { id, unitName } }: { ledger: Ledger }) {
  const [listPayments] = useLazyListPaymentsQuery();

  async function fetchPaper() {
    const [newest] = await listPayments(id).unwrap();
    if (newest === undefined)
      throw new CallError('refused', 404, t('No payments have been made on this unit'));
    return fetchReceiptPaper(id, newest.receiptNumber);
  }
  return (
    <PaperButton
      label={t('Last receipt')}
      about={t('of {unit} as PDF', { unit: unitName })}
      fetchPaper={fetchPaper}
    />
  );
}
