import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Skeleton } from './skeleton.tsx';

type Load<Data> = {
  data?: Data | undefined;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

type Props<Data> = {
  load: Load<Data>;
  /** What could not be loaded, as a sentence. */
  failure: string;
  /** The classes of the skeleton, which has the height of what is loaded. */
  skeleton?: string;
  children: (data: Data) => ReactNode;
};

/**
 * A value that is loaded: its skeleton, then the value, or why it is not there with a way to try
 * again.
 */
export function Loadable<Data>({ load, failure, skeleton = 'h-6 w-40', children }: Props<Data>) {
  const { data, error, isFetching, refetch } = load;
  if (data !== undefined) return children(data);
  if (error === undefined || isFetching) return <Skeleton className={skeleton} />;
  return (
    <span
      className="inline-flex flex-col items-start font-normal text-muted in-[dd]:items-end"
      role="status"
    >
      <span>{failure}</span>
      <Button variant="quiet" className="-mx-3" onClick={() => void refetch()}>
        {t('Try again')}
      </Button>
    </span>
  );
}
