import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

/** In place of what could not be loaded: the sentence that says so, and a way to try again. */
export function LoadFailure({
  children,
  onTryAgain,
}: {
  children: ReactNode;
  onTryAgain: () => unknown;
}) {
  return (
    <Alert
      tone="bad"
      rows={
        <Button variant="secondary" onClick={() => void onTryAgain()}>
          {t('Try again')}
        </Button>
      }
    >
      <p>{children}</p>
    </Alert>
  );
}
