import { getFinalStatement, getOfficeReceipt } from '@gatehouse/contract/office/tenants';
import { call } from '#api/call.ts';
import { PaperButton } from '#parts/paper-button.tsx';

/** The receipt of a payment. */
export function ReceiptButton({ receiptNumber }: { receiptNumber: string }) {
  return (
    <PaperButton
      label={`Receipt ${receiptNumber}`}
      read={() => call(getOfficeReceipt, { params: { receiptNumber } })}
    />
  );
}

/** The final statement of a rental whose move-out is settled. */
export function FinalStatementButton({ ledgerId }: { ledgerId: string }) {
  return (
    <PaperButton
      label="Final statement"
      read={() => call(getFinalStatement, { params: { ledgerId } })}
    />
  );
}
