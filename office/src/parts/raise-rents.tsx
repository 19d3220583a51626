import type { RateRow } from '@gatehouse/contract/office/rates';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { rateNotes } from '@gatehouse/contract/rentals';
import {
  Alert,
  Button as MuiButton,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material';
import { useState } from 'react';
import {
  DateInput,
  Form,
  FormDataConsumer,
  HttpError,
  RadioButtonGroupInput,
  TextInput,
  required,
  useListContext,
  useRefresh,
  useUnselectAll,
} from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { call } from '#api/call.ts';
import { DialogBoundary } from './dialog-boundary.tsx';
import { FormDialog } from './form-dialog.tsx';
import { FormReader, noRecord, typedText } from './form-reader.ts';
import { Money } from './format.tsx';
import { MoneyInput } from './money-input.tsx';
import { More } from './more.tsx';
import { useStep } from './use-step.ts';

/** A rise of one rental: what its preview or its action came to. */
type Line = {
  row: RateRow;
  amount: number;
  key: string;
  /** What else its preview says, in sentences. */
  notes: string[];
  isReplacing: boolean;
  fault: string | null;
  isDone: boolean;
};

type Given = { on: string; why: string };

/** Raises the rents of the selected rentals from a day on, with a preview of the income. */
export function RaiseRents() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <MuiButton size="small" onClick={() => setOpen(true)}>
        Raise rents
      </MuiButton>
      {isOpen && (
        <DialogBoundary label="Raise rents" onClose={() => setOpen(false)}>
          {(onProgress) => <RaiseDialog onClose={() => setOpen(false)} onProgress={onProgress} />}
        </DialogBoundary>
      )}
    </>
  );
}

type RaiseProps = { onClose: () => void; onProgress: (progress: 'sent') => void };

function RaiseDialog({ onClose, onProgress }: RaiseProps) {
  const { data = [], selectedIds } = useListContext<RateRow>();
  const [rows] = useState(() => data.filter(({ id }) => selectedIds.includes(id)));
  const [given, setGiven] = useState<Given | null>(null);
  const [lines, setLines] = useState<Line[]>([]);
  const { step, isBusy } = useStep();
  const refresh = useRefresh();
  const unselect = useUnselectAll('rates');

  const each = (todo: Line[], work: (line: Line) => Promise<Line>) =>
    step(async () => {
      const results: Line[] = [];
      for (const line of todo) {
        results.push(await work(line));
        setLines([...results, ...todo.slice(results.length)]);
      }
    });

  async function preview(values: FieldValues) {
    const form = new FormReader(values);
    const wanted = { on: form.text('on'), why: form.text('why') };
    setGiven(wanted);
    const todo = rows.map((row) => ({
      row,
      amount: raised(row.rate, form),
      key: crypto.randomUUID(),
      notes: [],
      isReplacing: false,
      fault: null,
      isDone: false,
    }));
    await each(todo, (line) => send(line, wanted, true));
  }

  async function perform() {
    if (given === null) return;
    onProgress('sent');
    await each(lines, (line) =>
      line.fault !== null || line.isDone ? Promise.resolve(line) : send(line, given, false),
    );
  }

  /** Not before: the selection goes with its buttons and this dialog. */
  function close() {
    onClose();
    if (!lines.some((line) => line.isDone)) return;
    unselect();
    refresh();
  }

  return (
    <FormDialog
      open
      onClose={given === null ? close : undefined}
      isDone={lines.some((line) => line.isDone)}
      fullWidth
      maxWidth="md"
      aria-labelledby="raise-rents"
    >
      <DialogTitle id="raise-rents">{`Raise ${rows.length} rents`}</DialogTitle>
      {given === null ? (
        <RaiseForm onSubmit={preview} onCancel={close} />
      ) : (
        <Raises lines={lines} isBusy={isBusy} onPerform={() => void perform()} onClose={close} />
      )}
    </FormDialog>
  );
}

async function send(line: Line, { on, why }: Given, isPreview: boolean): Promise<Line> {
  const { row, amount, key } = line;
  try {
    const change = await call(officeVerbs['rentals.rate'], {
      body: { ledgerId: row.id, amount, on, why, key, isPreview },
    });
    const done = { notes: rateNotes(change), isReplacing: change.replaced !== undefined };
    return { ...line, ...done, fault: null, isDone: !isPreview };
  } catch (error) {
    const fault = error instanceof HttpError ? error.message : 'It failed. Please try again.';
    return { ...line, fault };
  }
}

type RaiseFormProps = { onSubmit: (values: FieldValues) => Promise<void>; onCancel: () => void };

/** By how much and from when. */
function RaiseForm({ onSubmit, onCancel }: RaiseFormProps) {
  return (
    <Form
      record={noRecord}
      defaultValues={{ by: 'percent', percent: '5', why: '' }}
      onSubmit={onSubmit}
    >
      <DialogContent>
        <Stack sx={{ gap: 1 }}>
          <RadioButtonGroupInput
            source="by"
            label="By"
            choices={[
              { id: 'percent', name: 'A percentage, rounded to the dollar' },
              { id: 'sum', name: 'A sum' },
            ]}
          />
          <FormDataConsumer>
            {({ formData }) =>
              formData['by'] === 'sum' ? (
                <MoneyInput source="sum" label="Sum" />
              ) : (
                <TextInput
                  source="percent"
                  label="Percent"
                  validate={(text: unknown) =>
                    /^\d{1,2}(\.\d{1,2})?$/.test(typedText(text))
                      ? undefined
                      : 'Enter a percentage such as 5.'
                  }
                />
              )
            }
          </FormDataConsumer>
          <DateInput source="on" label="From" validate={required('Choose the day.')} />
          <TextInput source="why" label="Reason" validate={required('Give the reason.')} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <MuiButton onClick={onCancel}>Cancel</MuiButton>
        <MuiButton type="submit" variant="contained">
          Preview
        </MuiButton>
      </DialogActions>
    </Form>
  );
}

type RaisesProps = {
  lines: Line[];
  isBusy: boolean;
  onPerform: () => void;
  onClose: () => void;
};

/**
 * What the rises come to, in the preview and once they are made. On a phone tenant and result are
 * under the unit, so that they are in sight.
 */
function Raises({ lines, isBusy, onPerform, onClose }: RaisesProps) {
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up('sm'));
  const able = lines.filter(({ fault }) => fault === null);
  const more = sumDollars(able.map(({ row, amount }) => amount - row.rate));
  const replacing = able.filter(({ isReplacing }) => isReplacing).length;
  const isDone = able.length > 0 && able.every((line) => line.isDone);
  return (
    <>
      <DialogContent>
        <Stack sx={{ gap: 2 }} role="region" aria-label="Preview">
          <Typography aria-live="polite">{`${able.length} of ${lines.length} rents ${isDone ? 'are raised' : 'can be raised'}: ${formatMoney(more)} more a month.`}</Typography>
          {replacing > 0 && !isDone && (
            <Alert severity="warning">{`${replacing} of them ${replacing === 1 ? 'has' : 'have'} a change scheduled already. It is replaced, and the new notice says so.`}</Alert>
          )}
          {isDone && <Alert severity="success">Done. Each tenant is mailed the notice.</Alert>}
          <Table size="small" sx={{ '& .MuiTableCell-root': { px: { xs: 0.5, sm: 2 } } }}>
            <TableHead>
              <TableRow>
                <TableCell>Unit</TableCell>
                {isWide && <TableCell>Tenant</TableCell>}
                <TableCell align="right">Rent</TableCell>
                <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                  New rent
                </TableCell>
                {isWide && <TableCell>Result</TableCell>}
              </TableRow>
            </TableHead>
            <TableBody>
              {lines.map(({ row, amount, ...line }) => (
                <TableRow key={row.id}>
                  <TableCell>
                    <span>{row.unitName}</span>
                    {!isWide && <More>{row.tenantName}</More>}
                    {!isWide && (
                      <Typography variant="body2" sx={{ mt: 0.5 }}>
                        {resultOf(line)}
                      </Typography>
                    )}
                  </TableCell>
                  {isWide && <TableCell>{row.tenantName}</TableCell>}
                  <TableCell align="right">
                    <Money value={row.rate} />
                  </TableCell>
                  <TableCell align="right">
                    <Money value={amount} />
                  </TableCell>
                  {isWide && <TableCell>{resultOf(line)}</TableCell>}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Stack>
      </DialogContent>
      <DialogActions>
        <MuiButton disabled={isBusy} onClick={onClose}>
          <span>{isDone ? 'Close' : 'Cancel'}</span>
        </MuiButton>
        {!isDone && (
          <MuiButton
            variant="contained"
            loading={isBusy}
            disabled={able.length === 0}
            onClick={onPerform}
          >
            <span>{`Raise ${able.length} rents`}</span>
          </MuiButton>
        )}
      </DialogActions>
    </>
  );
}

function resultOf({ fault, isDone, notes }: Pick<Line, 'fault' | 'isDone' | 'notes'>): string {
  return fault ?? [isDone ? 'Raised.' : 'Ready.', ...notes].join(' ');
}

/** The new rent in dollars: by a percentage to the next full dollar, or by a sum. */
function raised(rate: number, form: FormReader): number {
  return form.one('by', ['percent', 'sum']) === 'sum'
    ? sumDollars([rate, form.amount('sum')])
    : Math.round(rate * (1 + Number(form.text('percent')) / 100));
}
