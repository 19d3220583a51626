import { formatMoney } from '@gatehouse/contract/money';
import { getToday, MOST_COUNTED, type Today as TodayReply } from '@gatehouse/contract/office/today';
import { paperKinds } from '@gatehouse/contract/vehicle-papers';
import { tenantName } from '@gatehouse/contract/tenant-name';
import {
  Box,
  Card,
  CardContent,
  Link as MuiLink,
  Skeleton,
  Stack,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { LoadFailure } from '#parts/failure.tsx';
import { Money, formatInstant } from '#parts/format.tsx';
import { day } from '#parts/outcome.tsx';

/** What needs a person today; each line opens its work. */
export function Today() {
  const [locationCode] = useFacilityInView();
  const { data, error, refetch } = useQuery({
    queryKey: ['today', locationCode],
    // What is read again is read by the page, not by a member who asks for it.
    queryFn: ({ client, queryKey, signal }) =>
      call(getToday, { query: { ...(locationCode !== '' && { locationCode }) } }, signal, {
        isPoll: client.getQueryData(queryKey) !== undefined,
      }),
    refetchInterval: 60_000,
  });
  return (
    <Box sx={{ py: 2 }}>
      <Title title="Today" />
      {data ? (
        <Work today={data} />
      ) : error ? (
        <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>
      ) : (
        <Skeleton variant="rounded" height={240} />
      )}
    </Box>
  );
}

function Work({ today }: { today: TodayReply }) {
  const { sums } = today;
  return (
    <Stack sx={{ gap: 2 }}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' },
        }}
      >
        <Figure label="Taken today" to="/deposits">
          {formatMoney(sums.taken)}
        </Figure>
        <Figure label="Given back today" to="/deposits">
          {formatMoney(sums.back)}
        </Figure>
        <Figure label="Occupied" to="/units">{`${sums.occupied} of ${sums.units}`}</Figure>
        <Figure label="Vacant" to="/units?filter=%7B%22state%22%3A%22vacant%22%7D">
          {sums.vacant}
        </Figure>
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' },
        }}
      >
        <Lines title="Late since yesterday" count={today.late.count} more="/late">
          {today.late.rows.map(({ id, tenantId, unitName, balance, ...names }) => (
            <Line key={id} to={`/tenants/${tenantId}/show`}>
              <span>{`${tenantName(names)}, ${unitName}: `}</span>
              <Money value={balance} isOwed />
            </Line>
          ))}
        </Lines>
        <Lines title="Requests without a reply" count={today.noReply.count} more="/requests">
          {today.noReply.rows.map(({ id, title, tenantName }) => (
            <Line key={id} to={`/requests/${id}/show`}>{`${title}, ${tenantName}`}</Line>
          ))}
        </Lines>
        <RentalDays title="Move-ins" days={today.moveIns} />
        <RentalDays title="Move-outs" days={today.moveOuts} />
        <RentalDays title="Transfers" days={today.transfers} />
        <Lines title="Payments taken back" count={today.bounced.count} more="/deposits">
          {today.bounced.rows.map(({ id, tenantId, tenantName, unitName, amount, reason }) => (
            <Line
              key={id + reason}
              to={`/tenants/${tenantId}/show`}
            >{`${tenantName}, ${unitName}: ${formatMoney(amount)} (${reason})`}</Line>
          ))}
        </Lines>
        <Lines title="Alarms" count={today.alarms.count} more="/alarms">
          {today.alarms.rows.map(({ id, sentence, raisedAt }) => (
            <Line key={id} to="/alarms">{`${sentence} (${formatInstant(raisedAt)})`}</Line>
          ))}
        </Lines>
        <Lines title="Ending within 30 days" count={today.expiring.count}>
          {today.expiring.rows.map(({ id, tenantId, tenantName, what, description, on }) => (
            <Line
              key={id + what + on}
              to={`/tenants/${tenantId}/show`}
            >{`${tenantName}: ${description}, ${day(on)}`}</Line>
          ))}
        </Lines>
        <Lines title="Papers that expire" count={today.papers.count} more="/papers">
          {today.papers.rows.map(({ id, tenantName, unitName, kind, on }) => (
            <Line
              key={id + kind}
              to="/papers"
            >{`${tenantName}, ${unitName}: ${paperKinds[kind]()}, ${day(on)}`}</Line>
          ))}
        </Lines>
      </Box>
    </Stack>
  );
}

function Figure({ label, to, children }: { label: string; to: string; children: ReactNode }) {
  return (
    <Card variant="outlined">
      <CardContent>
        <Typography variant="body2" color="text.secondary">
          {label}
        </Typography>
        <Typography variant="h5" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          <MuiLink component={Link} to={to} underline="hover" color="inherit">
            {children}
          </MuiLink>
        </Typography>
      </CardContent>
    </Card>
  );
}

const counted = (count: number) =>
  count > MOST_COUNTED ? `over ${MOST_COUNTED.toLocaleString('en-US')}` : count;

type LinesProps = { title: string; count: number; more?: string; children: ReactNode[] };

/** The first of them, each a link to its work, and a way to all. */
function Lines({ title, count, more, children }: LinesProps) {
  return (
    <Card variant="outlined" component="section" aria-label={title}>
      <CardContent>
        <Typography
          variant="subtitle1"
          component="h2"
          sx={{ fontWeight: 650 }}
        >{`${title}: ${counted(count)}`}</Typography>
        {count === 0 && <Typography color="text.secondary">Nothing to do.</Typography>}
        <Box component="ul" sx={{ m: 0, pl: 2 }}>
          {children}
        </Box>
        {more !== undefined && count > children.length && (
          <Link to={more}>{`All ${counted(count)}`}</Link>
        )}
      </CardContent>
    </Card>
  );
}

function Line({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Box component="li" sx={{ py: 0.5 }}>
      <Link to={to}>{children}</Link>
    </Box>
  );
}

function RentalDays({ title, days }: { title: string; days: TodayReply['moveIns'] }) {
  return (
    <Lines title={title} count={days.count}>
      {days.rows.map(({ id, tenantId, tenantName, unitName, on }) => (
        <Line
          key={id}
          to={`/tenants/${tenantId}/show`}
        >{`${tenantName}, ${unitName}, ${day(on)}`}</Line>
      ))}
    </Lines>
  );
}
