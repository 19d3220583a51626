import type { Reply } from '@gatehouse/contract/endpoint';
import { type DrawerLine, drawerSums, drawerTypes, overOrShort } from '@gatehouse/contract/drawers';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import type { getDepositDay } from '@gatehouse/contract/office/reports';
import {
  Alert,
  Card,
  CardContent,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { ActionButton } from '#parts/action-dialog.tsx';
import { Fact, Facts } from '#parts/facts.tsx';
import { formatInstant, Money } from '#parts/format.tsx';
import { More } from '#parts/more.tsx';

type DepositDay = Reply<typeof getDepositDay>;
type Drawer = DepositDay['drawers'][number];

/** The drawer of a facility on a day: what should be in it, and its close. */
export function DrawerCard({ on, drawer }: { on: string; drawer: Drawer }) {
  const { locationCode, lines, takers, closing, refusal } = drawer;
  return (
    <Card variant="outlined" component="section" aria-label={`Drawer of ${locationCode}`}>
      <CardContent>
        <Stack sx={{ gap: 1.5, alignItems: 'flex-start' }}>
          <Typography variant="h6" component="h2">{`Drawer of ${locationCode}`}</Typography>
          <DrawerLines lines={lines} />
          {takers.length > 0 && (
            <Typography variant="body2">{`Taken by ${takers
              .map(({ by, amount }) => `${by ?? 'somebody unknown'} (${formatMoney(amount)})`)
              .join(', ')}.`}</Typography>
          )}
          {closing && (
            <Typography>{`Closed by ${closing.by}, ${formatInstant(closing.closedAt)}. ${closing.why}`}</Typography>
          )}
          {!closing && refusal !== null && <Alert severity="info">{refusal}</Alert>}
          {!closing && refusal === null && <CloseDrawer on={on} locationCode={locationCode} />}
        </Stack>
      </CardContent>
    </Card>
  );
}

function DrawerLines({ lines }: { lines: DrawerLine[] }) {
  const isClosed = lines.some(({ counted }) => counted !== null);
  return (
    <div style={{ width: '100%', overflowX: 'auto' }}>
      <Table size="small" sx={{ '& .MuiTableCell-root': { px: { xs: 0.5, sm: 2 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>Type</TableCell>
            <TableCell align="right">Count</TableCell>
            <TableCell align="right">Expected</TableCell>
            {isClosed && <TableCell align="right">Counted</TableCell>}
            {isClosed && <TableCell align="right">Over or short</TableCell>}
          </TableRow>
        </TableHead>
        <TableBody>
          {lines.map((line) => (
            <DrawerRow key={line.type} line={line} isClosed={isClosed} />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function DrawerRow({ line, isClosed }: { line: DrawerLine; isClosed: boolean }) {
  const { type, count, expected, counted, difference } = line;
  return (
    <TableRow>
      <TableCell>
        <span>{drawerTypes[type]}</span>
        <More>{drawerSums(line)}</More>
      </TableCell>
      <TableCell align="right">{count}</TableCell>
      <TableCell align="right">
        <Money value={expected} />
      </TableCell>
      {isClosed && (
        <TableCell align="right">{counted !== null && <Money value={counted} />}</TableCell>
      )}
      {isClosed && (
        <TableCell align="right">{difference !== null && overOrShort(difference)}</TableCell>
      )}
    </TableRow>
  );
}

/** Counted without what is expected next to it, so that the count is a count. */
function CloseDrawer({ on, locationCode }: { on: string; locationCode: string }) {
  return (
    <ActionButton
      action={officeVerbs['drawers.close']}
      label="Close the day"
      variant="contained"
      explanation={`Count what is in the drawer of ${locationCode} for ${formatDate(on)}. A closed day never changes: what is taken or taken back later belongs to the next day.`}
      given={{ on, locationCode }}
      defaultValues={{ cash: '', check: '0.00', moneyOrder: '0.00', why: 'End of the day' }}
      describe={({ lines, difference }, isDone) => (
        <Stack sx={{ gap: 1.5 }}>
          <DrawerLines lines={lines} />
          <Typography sx={{ fontWeight: 650 }}>
            {difference === 0 ? 'The drawer is even.' : overOrShort(difference)}
          </Typography>
          <Typography>{isDone ? 'The day is closed.' : 'The day will be closed.'}</Typography>
        </Stack>
      )}
    />
  );
}

/** Card and bank payments of a day against the gateway's payouts, by the books. */
export function GatewayCard({ gateway, payouts }: Pick<DepositDay, 'gateway' | 'payouts'>) {
  const { taken, paidOut, takenBack, waiting } = gateway;
  return (
    <Card variant="outlined" component="section" aria-label="Card and bank">
      <CardContent>
        <Stack sx={{ gap: 1.5 }}>
          <Typography variant="h6" component="h2">
            Card and bank
          </Typography>
          <Facts>
            <Fact label="Taken on this day">
              <Money value={taken} />
            </Fact>
            <Fact label="Paid out">
              <Money value={paidOut} />
            </Fact>
            <Fact label="Reversed since">
              <Money value={takenBack} />
            </Fact>
            <Fact label="Pending payout">
              <Money value={waiting} />
            </Fact>
          </Facts>
          {payouts.length === 0 ? (
            <Typography variant="body2">No payout arrives on this day.</Typography>
          ) : (
            <ul style={{ margin: 0, paddingLeft: 20 }}>
              {payouts.map(({ payoutId, standing, count, amount }) => (
                <li
                  key={payoutId}
                >{`Payout ${payoutId}, ${standings[standing]}: ${formatMoney(amount)} of ${count} ${count === 1 ? 'payment' : 'payments'}, before the gateway’s fees and what went back`}</li>
              ))}
            </ul>
          )}
        </Stack>
      </CardContent>
    </Card>
  );
}

const standings = { underWay: 'under way', paid: 'paid', failed: 'failed' };
