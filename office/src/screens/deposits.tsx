import { formatMoney } from '@gatehouse/contract/money';
import { getDepositDay, getDeposits } from '@gatehouse/contract/office/reports';
import { depositTypes } from '@gatehouse/contract/reports';
import {
  Alert,
  Button,
  Card,
  CardContent,
  Skeleton,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { useSession } from '#api/session.ts';
import { Money } from '#parts/format.tsx';
import { Empty } from '#parts/empty.tsx';
import { DrawerCard, GatewayCard } from './drawers.tsx';

const vias = {
  gateway: 'Gateway',
  counter: 'Counter',
  import: 'Before the import',
  dispute: 'Won dispute',
};

/** The drawers of a day and their close, card and bank against payouts, and what was posted. */
export function Deposits() {
  const { me } = useSession();
  const [locationCode] = useFacilityInView();
  const [on, setOn] = useState(me?.facilities[0]?.today ?? '');
  const query = { on, ...(locationCode !== '' && { locationCode }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['deposits', on, locationCode],
    enabled: on !== '',
    queryFn: async ({ signal }) => ({
      ...(await call(getDeposits, { query }, signal)),
      day: await call(getDepositDay, { query }, signal),
    }),
  });
  return (
    <Stack sx={{ gap: 2, py: 2 }}>
      <Title title="Deposits" />
      <TextField
        type="date"
        fullWidth={false}
        label="Day"
        value={on}
        onChange={({ target }) => setOn(target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
        sx={{ alignSelf: 'flex-start' }}
      />
      {error && (
        <Alert severity="error" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {error.message}
        </Alert>
      )}
      {!data && !error && <Skeleton variant="rounded" height={160} />}
      {data && (
        <Typography aria-live="polite">
          In all {formatMoney(data.taken)} taken and {formatMoney(data.back)} given back.
        </Typography>
      )}
      {data?.day.drawers.map((drawer) => (
        <DrawerCard key={drawer.locationCode} on={data.on} drawer={drawer} />
      ))}
      {data && <GatewayCard {...data.day} />}
      {data?.facilities.map((facility) => (
        <Card key={facility.locationCode} variant="outlined" component="section">
          <CardContent sx={{ overflowX: 'auto' }} tabIndex={0}>
            <Typography variant="h6" component="h2">
              {facility.locationCode}
            </Typography>
            <Table size="small">
              <TableHead>
                <TableRow>
                  <TableCell>Type</TableCell>
                  <TableCell>By</TableCell>
                  <TableCell>Payout</TableCell>
                  <TableCell align="right">Count</TableCell>
                  <TableCell align="right">Amount</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {facility.takings.map(({ type, via, payout, count, amount }, index) => (
                  <TableRow key={index}>
                    <TableCell>{depositTypes[type]}</TableCell>
                    <TableCell>{vias[via]}</TableCell>
                    <TableCell>{payout?.payoutId ?? '–'}</TableCell>
                    <TableCell align="right">{count}</TableCell>
                    <TableCell align="right">
                      <Money value={amount} />
                    </TableCell>
                  </TableRow>
                ))}
                {facility.takenBack.map(({ type, reason, count, amount }, index) => (
                  <TableRow key={`back ${index}`}>
                    <TableCell>{depositTypes[type]}, given back</TableCell>
                    <TableCell colSpan={2}>{reason}</TableCell>
                    <TableCell align="right">{count}</TableCell>
                    <TableCell align="right">
                      <Money value={-amount} />
                    </TableCell>
                  </TableRow>
                ))}
                <TableRow>
                  <TableCell colSpan={4}>In all</TableCell>
                  <TableCell align="right">
                    <Money value={facility.taken - facility.back} />
                  </TableCell>
                </TableRow>
              </TableBody>
            </Table>
          </CardContent>
        </Card>
      ))}
      {data?.facilities.length === 0 && <Empty>Nothing came in or went back on this day.</Empty>}
    </Stack>
  );
}
