import type { Reply } from '@gatehouse/contract/endpoint';
import { type getUnit, unitStates, type UnitRow } from '@gatehouse/contract/office/units';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatDate } from '@gatehouse/contract/dates';
import {
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
import { DataTable, Link, SearchInput, SelectInput, Show, TextInput } from 'react-admin';
import { ActionButton } from '#parts/action-dialog.tsx';
import { FacilityInput, useUsualFacility } from '#parts/facility-input.tsx';
import { Fact, Facts } from '#parts/facts.tsx';
import { Money, MoneyField, State } from '#parts/format.tsx';
import { GuestQuote } from '#parts/guest-quote.tsx';
import { OfficeList } from '#parts/list.tsx';
import { UnitTypeInput } from '#parts/unit-type-input.tsx';
import { useWholeRecord } from '#parts/use-whole-record.ts';
import { RequestsOf } from './requests.tsx';

const stateNames: Record<UnitRow['state'], string> = {
  vacant: 'Vacant',
  reserved: 'Reserved',
  occupied: 'Occupied',
  locked: 'Locked out',
  outOfService: 'Out of service',
};
const tones = {
  vacant: 'success',
  reserved: 'warning',
  occupied: 'default',
  locked: 'error',
  outOfService: 'warning',
} as const;

const filters = [
  <SearchInput key="q" source="q" alwaysOn placeholder="Unit" />,
  <SelectInput
    key="state"
    source="state"
    alwaysOn
    choices={unitStates.map((id) => ({ id, name: stateNames[id] }))}
  />,
  <TextInput key="size" source="size" label="Size, such as 12x30" />,
];

/** Every unit by state and size; by “Vacant first” what can be let is on top. */
export function UnitList() {
  return (
    <OfficeList
      title="Units"
      filters={filters}
      empty="No unit fits these filters."
      sort={{ field: 'name', order: 'ASC' }}
      rowClick="show"
      exportAs="Units"
      actions={
        <>
          <GuestQuote />
          <AddUnits />
        </>
      }
    >
      <DataTable.Col source="name" label="Unit" />
      <DataTable.Col source="size" label="Size" render={sizeOf} />
      <DataTable.Col source="typeName" label="Type" disableSort />
      <DataTable.Col source="vacantFirst" label="State" render={stateOf} />
      <DataTable.Col source="rate" label="Rent" align="right" field={MoneyField} />
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col source="balance" label="Balance" align="right" disableSort>
        <MoneyField source="balance" isOwed />
      </DataTable.Col>
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

/** One unit or a range of them. */
function AddUnits() {
  const usual = useUsualFacility();
  return (
    <ActionButton
      action={officeVerbs['units.add']}
      label="Add units"
      defaultValues={{ locationCode: usual }}
      given={(form) => ({ locationCode: form.text('locationCode') })}
      inputs={{ typeName: <UnitTypeInput /> }}
    >
      <FacilityInput />
    </ActionButton>
  );
}

function sizeOf({ widthFeet, lengthFeet }: Pick<UnitRow, 'widthFeet' | 'lengthFeet'>) {
  return <span>{`${widthFeet} x ${lengthFeet}`}</span>;
}

function stateOf({ state }: Pick<UnitRow, 'state'>) {
  return <State tone={tones[state]}>{stateNames[state]}</State>;
}

type UnitFile = Reply<typeof getUnit>;
type Stay = UnitFile['history'][number];

/** One unit and who had it. */
export function UnitShow() {
  return (
    <Show>
      <UnitPage />
    </Show>
  );
}

function UnitPage() {
  const unit = useWholeRecord<UnitFile>('history');
  if (!unit) return null;
  const stay = unit.history.find(({ id }) => id === unit.ledgerId);
  return (
    <CardContent>
      <Facts>
        <Fact label="State">{stateOf(unit)}</Fact>
        {unit.tenantId !== null && (
          <Fact label="Rented to">
            <Link to={`/tenants/${unit.tenantId}/show`}>{unit.tenantName}</Link>
            {stay && <span>{`, since ${formatDate(stay.fromOn)}`}</span>}
          </Fact>
        )}
        <Fact label="Size">{sizeOf(unit)}</Fact>
        <Fact label="Type">{unit.typeName}</Fact>
        <Fact label="Rent">
          <MoneyField source="rate" />
        </Fact>
        <Fact label="Street rate">
          <MoneyField source="streetRate" />
        </Fact>
        {unit.outOfService !== null && <Fact label="Out of service">{unit.outOfService}</Fact>}
        {unit.freeFrom && <Fact label="Free from">{formatDate(unit.freeFrom)}</Fact>}
        {unit.nextOn && <Fact label="Next rental from">{formatDate(unit.nextOn)}</Fact>}
      </Facts>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, mt: 2 }}>
        {unit.state === 'vacant' && <GuestQuote unit={unit} />}
        <ActionButton
          action={officeVerbs['units.rate']}
          label="Change the street rate"
          given={{ unitId: unit.id }}
        />
        {unit.outOfService === null ? (
          <ActionButton
            action={officeVerbs['units.close']}
            label="Take out of service"
            given={{ unitId: unit.id }}
          />
        ) : (
          <ActionButton
            action={officeVerbs['units.open']}
            label="Put back into service"
            given={{ unitId: unit.id }}
          />
        )}
      </Stack>
      <Typography variant="h6" component="h2" sx={{ mt: 3, mb: 1 }}>
        Who had it
      </Typography>
      <Card variant="outlined" sx={{ overflowX: 'auto' }} tabIndex={0}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>Tenant</TableCell>
              <TableCell>From</TableCell>
              <TableCell>Until</TableCell>
              <TableCell align="right">Rent</TableCell>
              <TableCell align="right">Balance</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {unit.history.map((rental, index) => (
              <TableRow key={index}>
                <TableCell>
                  <Link to={`/tenants/${rental.tenantId}/show`}>{rental.tenantName}</Link>
                  <Moves stay={rental} />
                </TableCell>
                <TableCell>{formatDate(rental.fromOn)}</TableCell>
                <TableCell>
                  {rental.untilOn === null ? 'now' : formatDate(rental.untilOn)}
                </TableCell>
                <TableCell align="right">
                  <Money value={rental.rate} />
                </TableCell>
                <TableCell align="right">
                  <Money value={rental.balance} isOwed />
                </TableCell>
              </TableRow>
            ))}
            {unit.history.length === 0 && (
              <TableRow>
                <TableCell colSpan={5}>This unit has not been rented yet.</TableCell>
              </TableRow>
            )}
          </TableBody>
        </Table>
      </Card>
      <Typography variant="h6" component="h2" sx={{ mt: 3, mb: 1 }}>
        Requests
      </Typography>
      <RequestsOf of={{ unitId: unit.id }} empty="Nothing was asked about this unit." />
    </CardContent>
  );
}

/** Where a rental that was transferred came from, and where it went. */
function Moves({ stay: { movedFrom, movedTo } }: { stay: Stay }) {
  return (
    <>
      {movedFrom && (
        <Typography variant="body2">
          Moved from <Link to={`/units/${movedFrom.id}/show`}>{movedFrom.name}</Link>
        </Typography>
      )}
      {movedTo && (
        <Typography variant="body2">
          Moved to <Link to={`/units/${movedTo.id}/show`}>{movedTo.name}</Link>
        </Typography>
      )}
    </>
  );
}
