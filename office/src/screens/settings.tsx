import {
  changeFacility,
  cancelFacilityChange,
  type FacilityFile,
  facilitySettings,
  type FacilitySettings,
  getFacilityFile,
} from '@gatehouse/contract/office/settings';
import { GATE_DAYS, RENT_DAYS } from '@gatehouse/contract/reminders';
import {
  Alert,
  Box,
  Button,
  Card,
  CardContent,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
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
import {
  BooleanInput,
  DateInput,
  Form,
  HttpError,
  SelectInput,
  TextInput,
  Title,
  required,
  useNotify,
} from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import { amountFault, parseAmount } from '#parts/amount.ts';
import { Failure, LoadFailure } from '#parts/failure.tsx';
import { FormReader, typedText } from '#parts/form-reader.ts';
import { day } from '#parts/outcome.tsx';
import { Section } from '#parts/section.tsx';
import { useStep } from '#parts/use-step.ts';
import { Forms } from './forms.tsx';
import { Recipients } from './recipients.tsx';
import { UnitTypes } from './unit-types.tsx';

/** An empty `text` is nothing (null); `typed` may be empty. */
type Kind = 'text' | 'typed' | 'sum' | 'days' | 'percent' | 'yesNo' | 'order';

/** Every setting with its label and how it is typed. */
const fields: { [Key in keyof FacilitySettings]-?: { label: string; kind: Kind } } = {
  name: { label: 'Name', kind: 'text' },
  street1: { label: 'Street 1', kind: 'text' },
  street2: { label: 'Street 2', kind: 'text' },
  city: { label: 'City', kind: 'text' },
  region: { label: 'State, such as TX', kind: 'text' },
  postalCode: { label: 'Postal code', kind: 'text' },
  timeZone: { label: 'Time zone, such as America/Chicago', kind: 'text' },
  officeHours: { label: 'Office hours, such as Mon-Sat 9am - 6pm', kind: 'text' },
  phone: { label: 'Phone', kind: 'text' },
  email: { label: 'Email', kind: 'text' },
  lateFee: { label: 'Late fee', kind: 'sum' },
  lateFeeAfterDays: { label: 'Late fee after, in days', kind: 'days' },
  returnFee: { label: 'Fee for a returned payment', kind: 'sum' },
  cardFee: { label: 'Card fee a bill', kind: 'sum' },
  deposit: { label: 'Deposit', kind: 'sum' },
  leastPayment: { label: 'Least payment', kind: 'sum' },
  payOnce: { label: 'Tenants can pay once, without autopay', kind: 'yesNo' },
  partPayments: { label: 'Tenants can pay a part of what is owed', kind: 'yesNo' },
  payAhead: { label: 'Tenants can pay bills before they are due', kind: 'yesNo' },
  paymentDaysBack: { label: 'Payments recorded late, in days', kind: 'days' },
  sendsReminders: { label: 'Tenants are reminded by mail of what is due', kind: 'yesNo' },
  sendsTexts: { label: 'Reminders by text message', kind: 'yesNo' },
  paymentOrder: { label: 'What a payment settles first', kind: 'order' },
  rentTax1: { label: 'First tax on rent, in percent', kind: 'percent' },
  rentTax2: { label: 'Second tax on rent, in percent', kind: 'percent' },
  insuranceTax1: { label: 'First tax on insurance, in percent', kind: 'percent' },
  insuranceTax2: { label: 'Second tax on insurance, in percent', kind: 'percent' },
  gateHours: { label: 'Business hours of the gate', kind: 'text' },
  gateHolidays: { label: 'Holidays, such as 12/25 closed', kind: 'typed' },
  gateLeast: { label: 'The gate stays open below', kind: 'sum' },
  gateGraceDays: { label: 'The gate closes after, in days', kind: 'days' },
  gateWaitsForSettlement: { label: 'The gate waits for a bank payment to settle', kind: 'yesNo' },
  rateNoticeDays: { label: 'Notice of a rent rise, in days', kind: 'days' },
  moveOutProration: { label: 'Rent is given back by the day at a move-out', kind: 'yesNo' },
};
type Name = keyof FacilitySettings;
const groups: Record<string, Name[]> = {
  Facility: [
    'name',
    'street1',
    'street2',
    'city',
    'region',
    'postalCode',
    'phone',
    'email',
    'timeZone',
    'officeHours',
  ],
  'Fees and deposit': ['lateFee', 'returnFee', 'cardFee', 'deposit'],
  Payments: [
    'leastPayment',
    'paymentOrder',
    'paymentDaysBack',
    'payOnce',
    'partPayments',
    'payAhead',
  ],
  Taxes: ['rentTax1', 'rentTax2', 'insuranceTax1', 'insuranceTax2'],
  Gate: ['gateHours', 'gateHolidays', 'gateLeast', 'gateWaitsForSettlement'],
  Rentals: ['rateNoticeDays', 'moveOutProration'],
};
/** What happens about rent that is late: each step with its settings, or with what is fixed. */
const lateSteps: { step: string; settings: Name[]; says?: string }[] = [
  {
    step: 'Reminder',
    settings: ['sendsReminders', 'sendsTexts'],
    says: `${RENT_DAYS} days before the due date, on it, and ${GATE_DAYS} days before the gate closes. These days are fixed.`,
  },
  { step: 'Late fee', settings: ['lateFeeAfterDays'] },
  { step: 'Gate closes', settings: ['gateGraceDays'] },
  {
    step: 'Notice or letter',
    settings: [],
    says: 'From the day after the due date, by hand from the list of who is late. This day is fixed.',
  },
];
const names = Object.keys(fields) as Name[];

/** As many next to each other as fit. */
const columns = 'repeat(auto-fill, minmax(min(260px, 100%), 1fr))';

/** The settings of one facility; a change says first what it will do, and from when. */
export function Settings() {
  const { me } = useSession();
  const facilities = me?.facilities ?? [];
  const [facilityId, setFacilityId] = useState(facilities[0]?.id ?? '');
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', facilityId],
    enabled: facilityId !== '',
    queryFn: ({ signal }) => call(getFacilityFile, { params: { facilityId } }, signal),
  });
  return (
    <Stack sx={{ gap: 2, py: 2, maxWidth: 860 }}>
      <Title title="Settings" />
      <TextField
        select
        fullWidth={false}
        label="Facility"
        value={facilityId}
        onChange={({ target }) => setFacilityId(target.value)}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        sx={{ alignSelf: 'flex-start' }}
      >
        {facilities.map(({ id, locationCode, name }) => (
          <option key={id} value={id}>{`${locationCode} ${name}`}</option>
        ))}
      </TextField>
      {error && <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>}
      {!data && !error && <Skeleton variant="rounded" height={320} />}
      {data && <Facility key={data.id} facility={data} onChange={() => void refetch()} />}
      {data && (
        <>
          <Recipients key={`${data.id} mails`} facility={data} onChange={() => void refetch()} />
          <UnitTypes facility={data} onChange={() => void refetch()} />
          <Forms facility={data} onChange={() => void refetch()} />
        </>
      )}
    </Stack>
  );
}

type FacilityProps = { facility: FacilityFile; onChange: () => void };
type Wanted = {
  changes: Partial<FacilitySettings>;
  on?: string;
  why: string;
  key: string;
  effects: string[];
};

function Facility({ facility, onChange }: FacilityProps) {
  const notify = useNotify();
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const { step, isBusy, error } = useStep();
  const params = { facilityId: facility.id };

  const preview = (values: FieldValues) =>
    step(async () => {
      const changes = changesOf(facility.settings, values);
      if (Object.keys(changes).length === 0) throw new HttpError('Nothing is changed.', 422);
      const form = new FormReader(values);
      const given = {
        changes,
        ...form.optionalText('on'),
        why: form.text('why'),
        key: crypto.randomUUID(),
      };
      const { effects } = await call(changeFacility, {
        params,
        body: { ...given, isPreview: true },
      });
      setWanted({ ...given, effects });
    });

  const save = ({ effects: _, ...given }: Wanted) =>
    step(async () => {
      await call(changeFacility, { params, body: { ...given, isPreview: false } });
      setWanted(null);
      notify('The settings are changed.', { type: 'success' });
      onChange();
    });

  const cancel = (changeId: string) =>
    step(async () => {
      const why = 'Taken back';
      await call(cancelFacilityChange, { params: { ...params, changeId }, body: { why } });
      notify('The change is taken back.', { type: 'success' });
      onChange();
    });

  return (
    <>
      <Rules facility={facility} onTakeBack={(changeId) => void cancel(changeId)} />
      <SettingsForm
        settings={facility.settings}
        onSubmit={preview}
        isBusy={isBusy}
        error={wanted === null ? error : null}
      />
      {wanted && (
        <Effects
          effects={wanted.effects}
          onBack={() => setWanted(null)}
          onSave={() => void save(wanted)}
          isBusy={isBusy}
          error={error}
        />
      )}
    </>
  );
}

function Rules({
  facility,
  onTakeBack,
}: {
  facility: FacilityFile;
  onTakeBack: (changeId: string) => void;
}) {
  return (
    <Section title="What applies now" label="Rules">
      <ul>
        {facility.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      {facility.scheduled.map(({ id, on, changes, by }) => (
        <Alert
          key={id}
          severity="info"
          sx={{ mb: 1 }}
          action={<Button onClick={() => onTakeBack(id)}>Take back</Button>}
        >{`From ${day(on)}: ${listed(changes)} (${by})`}</Alert>
      ))}
    </Section>
  );
}

function listed(changes: Partial<FacilitySettings>): string {
  return Object.entries(changes)
    .map(([name, value]) => `${fields[name as Name].label}: ${shown(name as Name, value)}`)
    .join(', ');
}

function SettingsForm({
  settings,
  onSubmit,
  isBusy,
  error,
}: {
  settings: FacilitySettings;
  onSubmit: (values: FieldValues) => Promise<unknown>;
  isBusy: boolean;
  error: string | null;
}) {
  return (
    <Card variant="outlined">
      <Form
        key={JSON.stringify(settings)}
        defaultValues={{ ...typedOf(settings), on: null, why: '' }}
        onSubmit={onSubmit}
      >
        <CardContent>
          {Object.entries(groups).map(([title, own]) => (
            <Box key={title} component="section" aria-label={title} sx={{ mb: 2 }}>
              <Typography variant="subtitle1" component="h3" sx={{ mb: 1 }}>
                {title}
              </Typography>
              <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: columns }}>
                {own.map((name) => (
                  <SettingInput key={name} name={name} />
                ))}
              </Box>
            </Box>
          ))}
          <LateStepInputs />
          <DateInput source="on" label="From, at once where it is empty" />
          <TextInput source="why" label="Reason" validate={required('Give the reason.')} />
          <Failure error={error} />
          <Button type="submit" variant="contained" loading={isBusy}>
            Preview
          </Button>
        </CardContent>
      </Form>
    </Card>
  );
}

function LateStepInputs() {
  return (
    <Box sx={{ mb: 2 }}>
      <Typography id="late-steps" variant="subtitle1" component="h3">
        Steps when rent is late
      </Typography>
      <Table size="small" aria-labelledby="late-steps" sx={{ '& td, & th': { px: 1 } }}>
        <TableHead>
          <TableRow>
            <TableCell>Step</TableCell>
            <TableCell>Day</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {lateSteps.map(({ step, settings, says }) => (
            <TableRow key={step}>
              <TableCell component="th" scope="row">
                {step}
              </TableCell>
              <TableCell>
                {says !== undefined && <Typography variant="body2">{says}</Typography>}
                {settings.map((name) => (
                  <SettingInput key={name} name={name} />
                ))}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function Effects({
  effects,
  onBack,
  onSave,
  isBusy,
  error,
}: {
  effects: string[];
  onBack: () => void;
  onSave: () => void;
  isBusy: boolean;
  error: string | null;
}) {
  return (
    <Dialog open onClose={onBack} aria-labelledby="settings-preview">
      <DialogTitle id="settings-preview">What will change</DialogTitle>
      <DialogContent>
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
        <Failure error={error} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button variant="contained" loading={isBusy} onClick={onSave}>
          Change the settings
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function SettingInput({ name }: { name: Name }) {
  const { label, kind } = fields[name];
  if (kind === 'yesNo') return <BooleanInput source={name} label={label} />;
  if (kind === 'order')
    return (
      <SelectInput
        source={name}
        label={label}
        choices={[
          { id: 'oldest_first', name: 'What is oldest' },
          { id: 'rent_first', name: 'Rent' },
          { id: 'fees_first', name: 'Fees' },
        ]}
      />
    );
  return <TextInput source={name} label={label} validate={(text: unknown) => fault(name, text)} />;
}

function fault(name: Name, given: unknown): string | undefined {
  const { kind } = fields[name];
  const text = typedText(given);
  if (kind === 'sum') return Number(text) === 0 && text !== '' ? undefined : amountFault(text);
  if (kind === 'days') {
    if (!/^\d{1,3}$/.test(text)) return 'Enter a number of days.';
    return facilitySettings.shape[name].safeParse(Number(text)).error?.issues[0]?.message;
  }
  if (kind === 'percent')
    return /^\d{1,2}(\.\d{1,2})?$/.test(text) ? undefined : 'Enter a percentage such as 8.25.';
  return undefined;
}

/** The settings as they are typed: sums with two decimals, taxes in percent. */
function typedOf(settings: FacilitySettings): FieldValues {
  return Object.fromEntries(
    names.map((name) => {
      const { kind } = fields[name];
      const value = settings[name];
      if (kind === 'sum') return [name, Number(value).toFixed(2)];
      if (kind === 'percent') return [name, String(Number(value) / 100)];
      return [name, kind === 'yesNo' || kind === 'order' ? value : String(value ?? '')];
    }),
  );
}

/** What of the typed values differs from the settings. */
function changesOf(settings: FacilitySettings, values: FieldValues): Partial<FacilitySettings> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(fields[name].kind, values[name]);
      return value === settings[name] ? [] : [[name, value]];
    }),
  );
}

function valueOf(kind: Kind, typed: unknown): unknown {
  const text = typedText(typed);
  switch (kind) {
    case 'sum':
      return parseAmount(text);
    case 'days':
      return Number(text);
    case 'percent':
      return Math.round(Number(text) * 100);
    case 'typed':
      return text;
    case 'text':
      return text === '' ? null : text;
    default:
      return typed;
  }
}

function shown(name: Name, value: unknown): string {
  const { kind } = fields[name];
  if (kind === 'sum') return `$${Number(value).toFixed(2)}`;
  if (kind === 'percent') return `${Number(value) / 100} %`;
  if (kind === 'yesNo') return value === true ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';
}
