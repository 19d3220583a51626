import { getLateLetters } from '@gatehouse/contract/office/late';
import {
  getFinalStatement,
  getOfficeReceipt,
  getOfficeStatement,
} from '@gatehouse/contract/office/tenants';
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

/** A statement as it was issued. */
export function StatementButton(params: { tenantId: string; statementId: string }) {
  return <PaperButton label="Save the PDF" read={() => call(getOfficeStatement, { params })} />;
}

/** A printed letter to a tenant record. */
export function LetterButton({
  printingId,
  tenantId,
  on,
}: {
  printingId: string;
  tenantId: string;
  on: string;
}) {
  return (
    <PaperButton
      label="Letter"
      name={`Letter of ${on}`}
      read={() => call(getLateLetters, { params: { printingId }, query: { tenantId } })}
    />
  );
}
