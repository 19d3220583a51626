import { getSecondSteps } from '@gatehouse/contract/office/passkeys';
import { Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import { Failure } from '#parts/failure.tsx';
import { AppCard } from './app-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** How the member signs in, and where; only the second step where one must be set up first. */
export function Account() {
  const { me } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['second-steps'],
    queryFn: ({ signal }) => call(getSecondSteps, {}, signal),
  });
  return (
    <Stack sx={{ gap: 2, my: 2, maxWidth: 560 }}>
      <Title title="Your account" />
      <Failure error={error?.message ?? null} />
      {data && (
        <>
          <PasskeysCard steps={data} onChange={refetch} />
          <AppCard steps={data} onChange={refetch} />
        </>
      )}
      {me?.mustEnrol === false && <SessionsCard />}
    </Stack>
  );
}
