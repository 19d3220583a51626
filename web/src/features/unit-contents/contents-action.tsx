import type { Ledger } from '@gatehouse/contract/ledgers';
import { parseContents } from '@gatehouse/contract/unit-contents';
import { useState } from 'react';
import { DialogButton } from '#ui/dialog-button.tsx';
import { FormDialog, type FormDialogProps, lazyForm } from '#ui/form-dialog.tsx';
import type { ContentsFormProps } from './contents-form-view.tsx';

const form = lazyForm<ContentsFormProps & FormDialogProps>(() => import('./contents-form-view.tsx'));

/** Enters or updates what is stored in a unit; the dialog closes once it is saved (spec section 4). */
export function ContentsAction({ ledger, contents }: { ledger: Ledger; contents: string }) {
  const [isSaved, setSaved] = useState(false);
  const verb = parseContents(contents) === null ? 'Enter' : 'Update';

  function announceSaved() {
    setSaved(true);
    setTimeout(() => setSaved(false), 5000);
  }
  return (
    <>
      <DialogButton label={verb} about={`unit contents for ${ledger.unitName}`} fetchAhead={form.fetchAhead}>
        {(close) => (
          <FormDialog
            title="Unit Contents"
            description={`What is stored in unit ${ledger.unitName}.`}
            onClose={close}
            form={form}
            formProps={{
              ledger,
              contents,
              onSaved: () => {
                announceSaved();
                close();
              },
            }}
          />
        )}
      </DialogButton>
      <span role="status" className="sr-only">
        {isSaved && 'The unit contents have been saved.'}
      </span>
    </>
  );
}
