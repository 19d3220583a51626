import { REASON_MAX } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type SyntheticEvent, useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { DialogForm } from '#ui/form-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';

type Props = {
  isBusy: boolean;
  error: string | null;
  onClose: () => void;
  onDecline: (reason: string) => void;
};

/** Declining the document, with a reason that staff read. */
export function Decline({ isBusy, error, onClose, onDecline }: Props) {
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') onDecline(reason);
  }
  return (
    <Dialog title={t('Decline the document')} busy={isBusy} onClose={onClose}>
      <DialogForm
        submitLabel={t('Decline')}
        isDanger
        isBusy={isBusy}
        error={error}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextArea
          label={t('Why do you decline?')}
          hint={t('The facility reads it. If you want the document on paper, say so.')}
          maxLength={REASON_MAX}
          value={reason}
          error={isMissing && reason.trim() === '' ? t('Please say why.') : undefined}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  );
}
