import { formatMoney } from '@gatehouse/contract/money';
import { getToday, MOST_COUNTED, type Today as TodayReply } from '@gatehouse/contract/office/today';
import { paperKinds } from '@gatehouse/contract/vehicle-papers';
import { tenantName } from '@gatehouse/contract/tenant-name';
import { Box, Skeleton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { LoadFailure } from '#parts/failure.tsx';
import { Money, formatInstant } from '#parts/format.tsx';
import { day } from '#parts/outcome.tsx';

/** What needs a person today, the most urgent first; each line opens its work. */
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

type Line = { key: string; to: string; says: ReactNode };
type Group = { title: string; count: number; lines: Line[]; more?: string };

function Work({ today }: { today: TodayReply }) {
  const { sums } = today;
  const groups = groupsOf(today);
  const waiting = groups.filter(({ count }) => count > 0);
  const empty = groups.filter(({ count }) => count === 0).map(({ title }) => title.toLowerCase());
  return (
    <Stack sx={{ gap: 3, maxWidth: 720 }}>
      {waiting.map((group) => (
        <Lines key={group.title} group={group} />
      ))}
      {empty.length > 0 && (
        <Typography color="text.secondary">
          {`${waiting.length > 0 ? 'Nothing else waits' : 'Nothing waits'}: ${empty.join(', ')}.`}
        </Typography>
      )}
      <Typography color="text.secondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <span>{'Taken today: '}</span>
        <Link to="/deposits">{formatMoney(sums.taken)}</Link>
        <span>{`, given back ${formatMoney(sums.back)}. Occupied: `}</span>
        <Link to="/units">{`${sums.occupied} of ${sums.units}`}</Link>
        <span>{', vacant '}</span>
        <Link to="/units?filter=%7B%22state%22%3A%22vacant%22%7D">{sums.vacant}</Link>
      </Typography>
    </Stack>
  );
}

/** In the order of urgency: what is wrong, who comes today, who waits, what can wait for a day. */
function groupsOf(today: TodayReply): Group[] {
  const { alarms, bounced, noReply, late, proofs, expiring, papers } = today;
  return [
    {
      title: 'Alarms',
      count: alarms.count,
      more: '/alarms',
      lines: alarms.rows.map(({ id, sentence, raisedAt }) => ({
        key: id,
        to: '/alarms',
        says: `${sentence} (${formatInstant(raisedAt)})`,
      })),
    },
    {
      title: 'Payments taken back',
      count: bounced.count,
      more: '/deposits',
      lines: bounced.rows.map(({ id, amount, reason, ...rental }) => ({
        key: id + reason,
        to: pageOf(rental),
        says: `${nameOf(rental)}: ${formatMoney(amount)} (${reason})`,
      })),
    },
    moves('Move-ins', today.moveIns),
    moves('Move-outs', today.moveOuts),
    moves('Transfers', today.transfers),
    {
      title: 'Requests without a reply',
      count: noReply.count,
      more: '/requests',
      lines: noReply.rows.map(({ id, title, tenantName: name }) => ({
        key: id,
        to: `/requests/${id}/show`,
        says: `${title}, ${name}`,
      })),
    },
    {
      title: 'Proofs to check',
      count: proofs.count,
      more: PROOFS_TO_CHECK,
      lines: proofs.rows.map(({ id, company, on, ...rental }) => ({
        key: id,
        to: PROOFS_TO_CHECK,
        says: `${nameOf(rental)}: ${company}, given ${day(on)}`,
      })),
    },
    {
      title: 'Late since yesterday',
      count: late.count,
      more: '/late',
      lines: late.rows.map(({ id, balance, ...row }) => ({
        key: id,
        to: pageOf(row),
        says: (
          <>
            <span>{`${tenantName(row)}, ${row.unitName}: `}</span>
            <Money value={balance} isOwed />
          </>
        ),
      })),
    },
    {
      title: 'Ending within 30 days',
      count: expiring.count,
      lines: expiring.rows.map(({ id, what, description, on, ...rental }) => ({
        key: id + what + on,
        to: pageOf(rental),
        says: `${nameOf(rental)}: ${description}, ${day(on)}`,
      })),
    },
    {
      title: 'Papers that expire',
      count: papers.count,
      more: '/papers',
      lines: papers.rows.map(({ id, kind, on, ...rental }) => ({
        key: id + kind,
        to: '/papers',
        says: `${nameOf(rental)}: ${paperKinds[kind]()}, ${day(on)}`,
      })),
    },
  ];
}

const PROOFS_TO_CHECK = '/insurance?filter=%7B%22state%22%3A%22check%22%7D';
const nameOf = ({ tenantName: name, unitName }: { tenantName: string; unitName: string }) =>
  `${name}, ${unitName}`;
const pageOf = ({ tenantId }: { tenantId: string }) => `/tenants/${tenantId}/show`;

function moves(title: string, { count, rows }: TodayReply['moveIns']): Group {
  const lines = rows.map(({ id, ...rental }) => ({
    key: id,
    to: pageOf(rental),
    says: nameOf(rental),
  }));
  return { title, count, lines };
}

const counted = (count: number) =>
  count > MOST_COUNTED ? `over ${MOST_COUNTED.toLocaleString('en-US')}` : count;

/** The first of a group, each a link to its work, and a way to all. */
function Lines({ group: { title, count, lines, more } }: { group: Group }) {
  return (
    <Box component="section" aria-label={title}>
      <Typography
        variant="subtitle1"
        component="h2"
        sx={{ fontWeight: 650 }}
      >{`${title}: ${counted(count)}`}</Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {lines.map(({ key, to, says }) => (
          <Box key={key} component="li" sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
            <Link to={to}>{says}</Link>
          </Box>
        ))}
      </Box>
      {more !== undefined && count > lines.length && (
        <Link to={more}>{`All ${counted(count)}`}</Link>
      )}
    </Box>
  );
}
