import { getOfficeReceipt } from '@gatehouse/contract/office/tenants';
import { useState } from 'react';
import { Button } from '@mui/material';
import { useNotify } from 'react-admin';
import { call } from '#api/call.ts';
import { saveFile } from '#parts/save-file.ts';

/** Opens the receipt of a payment as a PDF, to print or keep. */
export function ReceiptButton({ receiptNumber }: { receiptNumber: string }) {
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);
  async function save() {
    setBusy(true);
    try {
      saveFile(await call(getOfficeReceipt, { params: { receiptNumber } }));
    } catch (error) {
      notify((error as Error).message, { type: 'error' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button size="small" disabled={isBusy} onClick={() => void save()}>
      Receipt {receiptNumber}
    </Button>
  );
}
