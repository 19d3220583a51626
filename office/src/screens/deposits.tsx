import type { Reply } from '@gatehouse/contract/endpoint';
import { formatMoney } from '@gatehouse/contract/money';
import { getDepositDay, getDeposits } from '@gatehouse/contract/office/reports';
import { depositTypes } from '@gatehouse/contract/reports';
import {
  Button,
  Skeleton,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { downloadCSV, Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { useSession } from '#api/session.ts';
import { toCsv } from '#parts/csv.ts';
import { Money } from '#parts/format.tsx';
import { Empty } from '#parts/empty.tsx';
import { LoadFailure } from '#parts/failure.tsx';
import { More } from '#parts/more.tsx';
import { Section } from '#parts/section.tsx';
import { backWords, depositColumns, depositRows, vias } from './deposit-rows.ts';
import { DrawerCard, GatewayCard } from './drawers.tsx';

type Facility = Reply<typeof getDeposits>['facilities'][number];

/** The drawers of a day and their close, card and bank against payouts, and what was posted. */
export function Deposits() {
  const { me } = useSession();
  const [locationCode] = useFacilityInView();
  const [on, setOn] = useState(me?.facilities[0]?.today ?? '');
  const query = { on, ...(locationCode !== '' && { locationCode }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['deposits', on, locationCode],
    enabled: on !== '',
    queryFn: async ({ signal }) => {
      const [deposits, day] = await Promise.all([
        call(getDeposits, { query }, signal),
        call(getDepositDay, { query }, signal),
      ]);
      return { ...deposits, day };
    },
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
      {error && <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>}
      {!data && !error && <Skeleton variant="rounded" height={160} />}
      {data && (
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography aria-live="polite">{`In all ${formatMoney(data.taken)} taken and ${formatMoney(data.back)} given back.`}</Typography>
          <Button
            variant="outlined"
            size="small"
            disabled={data.facilities.length + data.day.drawers.length === 0}
            onClick={() =>
              downloadCSV(toCsv(depositRows(data), depositColumns), `Deposits ${data.on}`)
            }
          >
            Export CSV
          </Button>
        </Stack>
      )}
      {data?.day.drawers.map((drawer) => (
        <DrawerCard key={drawer.locationCode} on={data.on} drawer={drawer} />
      ))}
      {data && <GatewayCard {...data.day} />}
      {data?.facilities.map((facility) => (
        <FacilityCard key={facility.locationCode} facility={facility} />
      ))}
      {data?.facilities.length === 0 && <Empty>Nothing came in or went back on this day.</Empty>}
    </Stack>
  );
}

/**
 * What came in and went back at a facility. On a phone, how a payment came in is under its type, so
 * that the amounts are in sight.
 */
function FacilityCard({ facility }: { facility: Facility }) {
  const { locationCode, takings, takenBack, taken, back } = facility;
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up('sm'));
  return (
    <Section title={locationCode} label={`Takings of ${locationCode}`}>
      <Table size="small" sx={{ '& .MuiTableCell-root': { px: { xs: 0.5, sm: 2 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>Type</TableCell>
            {isWide && <TableCell>By</TableCell>}
            {isWide && <TableCell>Payout</TableCell>}
            <TableCell align="right">Count</TableCell>
            <TableCell align="right">Amount</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {takings.map(({ type, via, payout, count, amount }, index) => (
            <TableRow key={index}>
              <TableCell>
                <span>{depositTypes[type]}</span>
                {!isWide && <More>{[vias[via], payout?.payoutId].filter(Boolean).join(', ')}</More>}
              </TableCell>
              {isWide && <TableCell>{vias[via]}</TableCell>}
              {isWide && <TableCell>{payout?.payoutId ?? '–'}</TableCell>}
              <TableCell align="right">{count}</TableCell>
              <TableCell align="right">
                <Money value={amount} />
              </TableCell>
            </TableRow>
          ))}
          {takenBack.map(({ type, reason, count, amount }, index) => (
            <TableRow key={`back ${index}`}>
              <TableCell>
                <span>{`${depositTypes[type]}, given back`}</span>
                {!isWide && <More>{backWords(reason)}</More>}
              </TableCell>
              {isWide && <TableCell colSpan={2}>{backWords(reason)}</TableCell>}
              <TableCell align="right">{count}</TableCell>
              <TableCell align="right">
                <Money value={-amount} />
              </TableCell>
            </TableRow>
          ))}
          <TableRow>
            <TableCell colSpan={isWide ? 4 : 2}>In all</TableCell>
            <TableCell align="right">
              <Money value={taken - back} />
            </TableCell>
          </TableRow>
        </TableBody>
      </Table>
    </Section>
  );
}
