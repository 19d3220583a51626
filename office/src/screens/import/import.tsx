import {
  IMPORT_BYTES,
  importLeases,
  type ImportRun,
  type LeasesReport,
} from '@gatehouse/contract/office/imports';
import {
  Button,
  Card,
  CardContent,
  Chip,
  MenuItem,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { useState } from 'react';
import { HttpError, Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import { useUsualFacility } from '#parts/facility-input.tsx';
import { dataUrlOf } from '#parts/data-url.ts';
import { Failure } from '#parts/failure.tsx';
import { useStep } from '#parts/use-step.ts';
import { ColumnMap } from './column-map.tsx';
import { Effects } from './effects.tsx';
import { Faults } from './faults.tsx';
import { Invitations } from './invitations.tsx';
import { isUnderWay, Outcome, Progress, Runs, useRun } from './runs.tsx';

/** How the files are to be read: what the page asks, as the call has it. */
type Reading = {
  files: File[];
  locationCode: string;
  columns: Record<string, string | null>;
  remedies: string[];
  joined: string;
  lateFrom: string;
};

/**
 * Brings leases in from another system's own files: their columns are mapped, their faults
 * remedied by kind, and what the import does is said before it is done.
 */
export function ImportPage() {
  const usual = useUsualFacility();
  const [reading, setReading] = useState<Reading>({
    files: [],
    locationCode: usual,
    columns: {},
    remedies: [],
    joined: '',
    lateFrom: '',
  });
  const [started, setStarted] = useState<ImportRun | null>(null);
  const run = useRun(started);
  // What a remedy is chosen from stays in sight until it is read anew.
  const report = useLast(run);
  const { step, isBusy: isSending, error } = useStep();
  const isBusy = isSending || (run !== undefined && isUnderWay(run));

  const read = (next: Reading, isPreview = true) =>
    step(async () => {
      setReading(next);
      if (next.files.length === 0) throw new HttpError('Choose a file.', 422);
      setStarted(await send(next, isPreview));
    });
  const without = (remedy: string) => reading.remedies.filter((one) => one !== remedy);

  return (
    <Stack sx={{ gap: 2, py: 2 }}>
      <Title title="Import" />
      <Choice
        reading={reading}
        onChange={(changes) => {
          setReading({ ...reading, ...changes });
          setStarted(null);
        }}
        onRead={() => void read(reading)}
        isBusy={isBusy}
      />
      <Failure error={error} />
      {run && isUnderWay(run) && <Progress run={run} />}
      {run && <Outcome run={run} />}
      {report && (
        <>
          {report.files.map((file) => (
            <ColumnMap
              key={file.file}
              file={file}
              fields={report.fields}
              isBusy={isBusy}
              onChange={(heading, field) =>
                void read({ ...reading, columns: { ...reading.columns, [heading]: field } })
              }
            />
          ))}
          {reading.remedies.length > 0 && (
            <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
              <Typography>Applied:</Typography>
              {reading.remedies.map((remedy) => (
                <Chip
                  key={remedy}
                  label={remedy}
                  disabled={isBusy}
                  onDelete={() => void read({ ...reading, remedies: without(remedy) })}
                />
              ))}
            </Stack>
          )}
          <Faults
            report={report}
            isBusy={isBusy}
            onRemedy={(remedy) => void read({ ...reading, remedies: [...without(remedy), remedy] })}
          />
          <Effects report={report} isBusy={isBusy} onImport={() => void read(reading, false)} />
        </>
      )}
      <Runs shown={run?.importId} />
      <Invitations />
    </Stack>
  );
}

/** The last report of the runs so far; null before the first, and once other files are chosen. */
function useLast(run: ImportRun | undefined): LeasesReport | null {
  const [last, setLast] = useState<LeasesReport | null>(null);
  const now = run === undefined ? null : (run.report ?? last);
  if (now !== last) setLast(now);
  return now;
}

async function send(
  { files, locationCode, joined, lateFrom, ...reading }: Reading,
  isPreview: boolean,
): Promise<ImportRun> {
  if (files.reduce((sum, { size }) => sum + size, 0) > IMPORT_BYTES)
    throw new HttpError('The files are too large. They may have at most 8 MB together.', 413);
  return call(importLeases, {
    body: {
      ...reading,
      isPreview,
      files: files.map(({ name, size }) => ({ name, bytes: size })),
      data: await dataUrlOf(new Blob(files, { type: 'application/octet-stream' })),
      locationCode: locationCode || null,
      joined: joined.split(/[\s,;]+/).filter(Boolean),
      lateFrom: lateFrom || null,
    },
  });
}

function Choice({
  reading,
  onChange,
  onRead,
  isBusy,
}: {
  reading: Reading;
  onChange: (changes: Partial<Reading>) => void;
  onRead: () => void;
  isBusy: boolean;
}) {
  const { me } = useSession();
  return (
    <Card variant="outlined" component="section" aria-label="What to import">
      <CardContent>
        <Typography sx={{ mb: 2 }}>
          Files as the other system exports them, one row a lease: .xlsx or CSV, at most 8 MB
          together. Nothing is changed until you import.
        </Typography>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <label>
            <Typography component="span" sx={{ mr: 1 }}>
              Files
            </Typography>
            <input
              type="file"
              multiple
              accept=".xlsx,.csv,.txt,.tsv"
              onChange={({ target }) =>
                onChange({ files: [...(target.files ?? [])], columns: {}, remedies: [] })
              }
            />
          </label>
          <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
            <TextField
              select
              fullWidth={false}
              sx={{ minWidth: 220 }}
              label="Facility of rows that name none"
              value={reading.locationCode}
              onChange={({ target }) => onChange({ locationCode: target.value })}
            >
              {(me?.facilities ?? []).map(({ locationCode, name }) => (
                <MenuItem key={locationCode} value={locationCode}>
                  <span>{`${locationCode} ${name}`}</span>
                </MenuItem>
              ))}
            </TextField>
            <TextField
              type="date"
              fullWidth={false}
              sx={{ minWidth: 260 }}
              label="Late fees and reminders from"
              value={reading.lateFrom}
              onChange={({ target }) => onChange({ lateFrom: target.value })}
              helperText="At once where it is empty"
              slotProps={{ inputLabel: { shrink: true } }}
            />
            <TextField
              fullWidth={false}
              sx={{ minWidth: 260 }}
              label="Shared addresses"
              value={reading.joined}
              onChange={({ target }) => onChange({ joined: target.value })}
              helperText="Emails of several names with one sign-in"
            />
          </Stack>
          <Button
            variant="contained"
            loading={isBusy}
            disabled={reading.files.length === 0}
            onClick={onRead}
          >
            Read the files
          </Button>
        </Stack>
      </CardContent>
    </Card>
  );
}
