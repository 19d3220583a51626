import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { Button } from './button.tsx';

type Props = {
  text: string;
  /** Names what is copied for screen readers. */
  label: string;
};

/** Copies `text`. */
export function CopyButton({ text, label }: Props) {
  const [copied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  // Only a page that came over https, or from this machine, may write to the clipboard.
  if (!('clipboard' in navigator)) return null;
  return (
    <>
      <Button
        variant="quiet"
        icon={copied ? 'check' : 'copy'}
        aria-label={label}
        onClick={() => void copy()}
      >
        <span aria-hidden="true" className="in-data-lines:max-sm:hidden">
          {copied ? t('Copied') : t('Copy')}
        </span>
      </Button>
      <span role="status" className="sr-only">
        {copied ? t('Copied') : ''}
      </span>
    </>
  );
}
