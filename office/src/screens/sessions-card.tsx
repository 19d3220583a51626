import {
  endStaffSession,
  listStaffSessions,
  type StaffSession,
} from '@gatehouse/contract/office/sessions';
import { Button, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNotify } from 'react-admin';
import { call } from '#api/call.ts';
import { Failure } from '#parts/failure.tsx';
import { formatInstant } from '#parts/format.tsx';
import { useStep } from '#parts/use-step.ts';
import { AccountCard, AccountRow, AccountRows } from './account-card.tsx';

/** Where the member is signed in; the others can be signed out, one or all. */
export function SessionsCard() {
  const notify = useNotify();
  const card = useRef<HTMLDivElement>(null);
  const { step, isBusy, error } = useStep();
  const sessions = useQuery({
    queryKey: ['staff-sessions'],
    queryFn: ({ signal }) => call(listStaffSessions, {}, signal),
  });
  const rows = sessions.data ?? [];

  const end = (session: StaffSession | null) =>
    step(async () => {
      await call(endStaffSession, { body: { session: session?.id ?? null } });
      await sessions.refetch();
      notify(
        session === null
          ? 'You are signed out everywhere else.'
          : `${nameOf(session)} is signed out.`,
        { type: 'success' },
      );
      // The button is gone.
      card.current?.focus();
    });

  return (
    <AccountCard id="sessions" title="Where you are signed in" card={card}>
      <Typography>
        If you do not recognize a browser or network, sign it out and ask an owner for a new
        password.
      </Typography>
      <AccountRows>
        {rows.map((session) => (
          <Row key={session.id} session={session} isBusy={isBusy} onEnd={() => void end(session)} />
        ))}
      </AccountRows>
      {rows.length > 2 && (
        <Button variant="outlined" color="error" loading={isBusy} onClick={() => void end(null)}>
          <span>Sign out everywhere else</span>
        </Button>
      )}
      <Failure error={error ?? sessions.error?.message ?? null} />
    </AccountCard>
  );
}

type RowProps = { session: StaffSession; isBusy: boolean; onEnd: () => void };

function Row({ session, isBusy, onEnd }: RowProps) {
  const { network, createdAt, lastSeenAt, isCurrent } = session;
  const from = [isCurrent && 'This browser', network].filter(Boolean).join(', ');
  return (
    <AccountRow
      title={nameOf(session)}
      about={[
        ...(from === '' ? [] : [from]),
        `Since ${formatInstant(createdAt)}, last used ${formatInstant(lastSeenAt)}`,
      ]}
    >
      {!isCurrent && (
        <Button
          color="error"
          disabled={isBusy}
          aria-label={`Sign out ${nameOf(session)}`}
          onClick={onEnd}
        >
          <span>Sign out</span>
        </Button>
      )}
    </AccountRow>
  );
}

function nameOf({ browser }: StaffSession): string {
  return browser ?? 'A browser';
}
