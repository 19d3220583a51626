import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { Button } from './button.tsx';

type Props = {
  text: string;
  /** Names what is copied for screen readers. */
  label: string;
};

/** Copies `text`, or says that the browser refused. */
export function CopyButton({ text, label }: Props) {
  const [said, say] = useState('');

  async function copy() {
    const copied = navigator.clipboard.writeText(text);
    say(
      await copied.then(
        () => t('Copied'),
        () => t('Not copied'),
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
        onClick={() => void copy()}
      >
        <span aria-hidden="true" className="in-data-lines:max-sm:hidden">
          {said || t('Copy')}
        </span>
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
