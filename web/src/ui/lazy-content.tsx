import { t } from '@gatehouse/language/t';
import { type ReactNode, useEffect, useState } from 'react';
import type { LazyPart } from './lazy-part.tsx';
import { LoadFailure } from './load-failure.tsx';
import { Skeleton } from './skeleton.tsx';

type Props<PartProps extends object> = {
  part: LazyPart<PartProps>;
  props: PartProps;
  skeleton?: ReactNode;
  /** Shows nothing where it cannot be loaded either: the page is whole without it. */
  isQuiet?: boolean;
};

/**
 * A lazy part: its skeleton until it is loaded, or a way to try again. Not Suspense,
 * whose fallback would hold it back by 300 ms.
 */
export function LazyContent<PartProps extends object>({
  part: Part,
  props,
  skeleton = <Skeleton className="h-96" />,
  isQuiet = false,
}: Props<PartProps>) {
  const [state, setState] = useState<'loading' | 'again' | 'loaded' | 'failed'>(
    Part.isLoaded() ? 'loaded' : 'loading',
  );
  useEffect(() => {
    if (state !== 'loading' && state !== 'again') return;
    let isGone = false;
    (state === 'again' ? Part.tryAgain() : Part.load()).then(
      () => !isGone && setState('loaded'),
      () => !isGone && setState('failed'),
    );
    return () => void (isGone = true);
  }, [Part, state]);

  if (state === 'loaded') return <Part {...props} />;
  if (isQuiet) return null;
  if (state !== 'failed') return skeleton;
  return (
    <LoadFailure onTryAgain={() => setState('again')}>
      {t('This form could not be loaded. Check your connection and try again.')}
    </LoadFailure>
  );
}
