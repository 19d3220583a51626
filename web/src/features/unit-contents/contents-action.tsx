import type { Ledger } from '@gatehouse/contract/ledgers';
import { parseContents } from '@gatehouse/contract/unit-contents';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

/** What is stored in a unit, or one of its vehicles. */
export const contentsForm = lazyPart(() => import('./contents-form-view.tsx'));

type Props = {
  ledger: Ledger;
  contents: string;
  /** What its button says where nothing is entered. */
  enter?: string;
  onSaved?: () => void;
};

/** Enters or updates what is stored in a unit; the dialog closes once it is saved. */
export function ContentsAction({ ledger, contents, enter = t('Enter'), onSaved }: Props) {
  const [isSaved, setSaved] = useState(false);
  const isMissing = parseContents(contents) === null;

  function announceSaved() {
    setSaved(true);
    setTimeout(() => setSaved(false), 5000);
    onSaved?.();
  }
  return (
    <>
      <FormDialogButton
        label={isMissing ? enter : t('Update')}
        about={t('unit contents for {unit}', { unit: ledger.unitName })}
        variant={isMissing ? 'soft' : 'quiet'}
        className={isMissing ? '' : '-mx-3'}
        title={t('Unit Contents')}
        description={t('What is stored in unit {unit}.', { unit: ledger.unitName })}
        form={contentsForm}
        formProps={{ ledger, contents, onSaved: announceSaved }}
      />
      <span role="status" className="sr-only">
        {isSaved && t('The unit contents have been saved.')}
      </span>
    </>
  );
}
