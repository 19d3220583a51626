import { getGoingLive, type GoingLiveStep } from '@gatehouse/contract/office/going-live';
import {
  Alert,
  Box,
  Button,
  Card,
  CardContent,
  List,
  ListItem,
  Skeleton,
  Stack,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Title } from 'react-admin';
import { call } from '#api/call.ts';
import { LoadFailure } from '#parts/failure.tsx';
import { State } from '#parts/format.tsx';

const titles: Record<string, string> = {
  characters: 'Letters of the database',
  operator: 'Your data',
  owner: 'Owner',
  mail: 'Mail',
  gateway: 'Card payments',
  address: 'Address of the portal',
  office: 'Address of the office',
  backups: 'Backup',
};

const states = {
  ok: ['success', 'OK'],
  warning: ['warning', 'Look at it'],
  fault: ['error', 'Missing'],
} as const;

/** What the guide must have brought before tenants come, as `gatehouse doctor` says it. */
export function GoLive() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['going-live'],
    queryFn: ({ signal }) => call(getGoingLive, {}, signal),
  });
  const open = data?.steps.filter((step) => step.level !== 'ok').length ?? 0;
  return (
    <Stack sx={{ gap: 2, py: 2, maxWidth: 860 }}>
      <Title title="Go live" />
      {error && <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>}
      {data && !data.isLive && (
        <Alert severity="info">
          This is the sandbox: no money is moved and no mail leaves. The guide to a live portal is
          docs/operations.md.
        </Alert>
      )}
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography role="status">
          {isFetching ? 'Looking …' : data && openSentence(open)}
        </Typography>
        <Button variant="outlined" onClick={() => void refetch()}>
          Look again
        </Button>
      </Stack>
      {!data && !error && <Skeleton variant="rounded" height={320} />}
      {data && (
        <Card variant="outlined">
          <CardContent>
            <List disablePadding aria-label="Steps">
              {data.steps.map((step) => (
                <Step key={`${step.subject} ${step.says}`} step={step} />
              ))}
            </List>
          </CardContent>
        </Card>
      )}
    </Stack>
  );
}

function openSentence(open: number): string {
  if (open === 0) return 'Nothing is missing.';
  return open === 1 ? 'One step is to be done.' : `${open} steps are to be done.`;
}

function Step({ step: { subject, level, says, todo } }: { step: GoingLiveStep }) {
  const [tone, label] = states[level];
  return (
    <ListItem
      disableGutters
      divider
      sx={{ gap: 2, alignItems: 'flex-start', '&:last-child': { borderBottom: 0 } }}
    >
      <Box sx={{ minWidth: 96 }}>
        <State tone={tone}>{label}</State>
      </Box>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle2" component="h2">
          {titles[subject] ?? subject}
        </Typography>
        <Typography variant="body2">{says}</Typography>
        {todo !== null && (
          <Typography variant="body2" color="text.secondary">{`To do: ${todo}`}</Typography>
        )}
      </Box>
    </ListItem>
  );
}
