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
    <Alert tone="bad">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:flex-nowrap">
        <p>{children}</p>
        <Button
          variant="secondary"
          className="sm:-my-2 sm:min-h-11! sm:shrink-0"
          onClick={() => void onTryAgain()}
        >
          Try again
        </Button>
      </div>
    </Alert>
  );
}
