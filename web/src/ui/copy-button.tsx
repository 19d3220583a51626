import { t } from '@gatehouse/language/t';
import { type MouseEvent, useState } from 'react';
import { Button } from './button.tsx';

type Props = {
  text: string;
  /** Names what is copied for screen readers. */
  label: string;
};

/** Copies `text`; where the browser refuses it says so, and selects what is before the button. */
export function CopyButton({ text, label }: Props) {
  const [said, say] = useState('');

  async function copy({ currentTarget: { previousElementSibling: shown } }: MouseEvent) {
    const copied = navigator.clipboard.writeText(text);
    say(
      await copied.then(
        () => t('Copied'),
        () => {
          if (shown instanceof HTMLInputElement) shown.select();
          else if (shown) getSelection()?.selectAllChildren(shown);
          return t('Not copied');
        },
      ),
    );
    setTimeout(say, 2000, '');
  }
  // Only a page that came over https, or from this machine, may write to the clipboard.
  if (!('clipboard' in navigator)) return null;
  return (
    <>
      <Button
        variant="quiet"
        icon={said === t('Copied') ? 'check' : 'copy'}
        aria-label={label}
        onClick={(event) => void copy(event)}
      >
        <span aria-hidden="true">{said || t('Copy')}</span>
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
