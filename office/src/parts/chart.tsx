import { Alert, Button, Skeleton } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { BarsProps } from './bars.tsx';

/**
 * A report's bars, which are a chunk of their own. Where it does not come the report is whole
 * without them, and says so.
 */
export function Chart(props: BarsProps) {
  const {
    data: Bars,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['bars'],
    queryFn: () => import('./bars.tsx').then((file) => file.default),
    retry: 1,
    retryDelay: 1000,
    staleTime: Infinity,
    // A component is no plain value to compare with the one before.
    structuralSharing: false,
  });
  if (Bars) return <Bars {...props} />;
  if (!isError) return <Skeleton variant="rounded" height={240} />;
  return (
    <Alert severity="warning" action={<Button onClick={() => void again()}>Try again</Button>}>
      The chart could not be loaded.
    </Alert>
  );

  /** Most browsers keep the failure of an import until the page is reloaded (whatwg/html#10327). */
  async function again() {
    const { isSuccess } = await refetch();
    if (!isSuccess && navigator.onLine) location.reload();
  }
}
