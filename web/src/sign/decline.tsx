import { REASON_MAX, type SigningView } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { focusFirst } from './focus-first.ts';

type Props = { view: SigningView; isBusy: boolean; onDecline: (reason: string) => void };

/** Declining the document, with a reason that staff read. */
export function Decline({ view, isBusy, onDecline }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  if (!isOpen)
    return (
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {t('Decline')}
      </Button>
    );
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') onDecline(reason);
  }
  return (
    <form
      ref={focusFirst}
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-4 border-t border-line pt-4"
      aria-label={t('Decline')}
    >
      <TextArea
        label={t('Why do you decline?')}
        hint={t('{facility} reads it. If you want the document on paper, say so.', {
          facility: view.facilityName,
        })}
        maxLength={REASON_MAX}
        value={reason}
        error={isMissing && reason.trim() === '' ? t('Please say why.') : undefined}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={() => setOpen(false)}>
          {t('Cancel')}
        </Button>
        <Button type="submit" variant="danger" busy={isBusy}>
          {t('Decline the document')}
        </Button>
      </div>
    </form>
  );
}
