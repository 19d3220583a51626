import type { ImportFaults, LeasesReport } from '@gatehouse/contract/office/imports';
import { Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { downloadCSV } from 'react-admin';

type Props = { report: LeasesReport; isBusy: boolean; onRemedy: (remedy: string) => void };

/** What is wrong, by kind, with what may be done with all of the kind; nothing where nothing is. */
export function Faults({ report: { faults, faultyRows }, isBusy, onRemedy }: Props) {
  if (faults.length === 0) return null;
  const total = faults.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card variant="outlined" component="section" aria-label="Faults">
      <CardContent>
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap', mb: 1 }}>
          <Typography variant="h6" component="h2">
            {total === 1 ? '1 fault' : `${total} faults`}
          </Typography>
          <Button
            variant="outlined"
            size="small"
            onClick={() => downloadCSV(faultyRows, 'Rows with faults')}
          >
            Save the rows with faults
          </Button>
        </Stack>
        <Stack component="ul" sx={{ gap: 2, m: 0, p: 0, listStyle: 'none' }}>
          {faults.map((group) => (
            <Group
              key={`${group.kind} ${group.heading ?? ''} ${group.says}`}
              group={group}
              isBusy={isBusy}
              onRemedy={onRemedy}
            />
          ))}
        </Stack>
      </CardContent>
    </Card>
  );
}

function Group({
  group: { heading, says, count, first, remedies },
  isBusy,
  onRemedy,
}: {
  group: ImportFaults;
  isBusy: boolean;
  onRemedy: (remedy: string) => void;
}) {
  return (
    <Stack component="li" sx={{ gap: 1 }}>
      <Typography sx={{ fontWeight: 650 }}>
        {`${count} × ${heading === null ? '' : `${heading}: `}${says}`}
      </Typography>
      <Stack component="ul" sx={{ m: 0, pl: 3, overflowWrap: 'anywhere' }}>
        {first.map(({ file, line, tenant, unit, value }, place) => (
          <Typography component="li" variant="body2" key={`${place} ${line}`}>
            {[`${file}, row ${line}`, tenant, unit, value].filter(Boolean).join(' · ')}
          </Typography>
        ))}
      </Stack>
      <Stack sx={{ gap: 1, alignItems: 'flex-start' }}>
        {remedies.map(({ remedy, says: does, example }) => (
          <Remedy
            key={remedy}
            does={`${does.charAt(0).toUpperCase()}${does.slice(1)}`}
            example={example}
            isBusy={isBusy}
            onApply={(value) => onRemedy(`${remedy}${value}`)}
          />
        ))}
      </Stack>
    </Stack>
  );
}

function Remedy({
  does,
  example,
  isBusy,
  onApply,
}: {
  does: string;
  example: string | null;
  isBusy: boolean;
  onApply: (value: string) => void;
}) {
  const [value, setValue] = useState('');
  return (
    <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      {example !== null && (
        <TextField
          size="small"
          fullWidth={false}
          hiddenLabel
          placeholder={example}
          value={value}
          onChange={({ target }) => setValue(target.value)}
          slotProps={{ htmlInput: { 'aria-label': `${does}: such as ${example}`, maxLength: 100 } }}
        />
      )}
      <Button
        variant="outlined"
        size="small"
        disabled={isBusy || (example !== null && value.trim() === '')}
        onClick={() => onApply(value.trim())}
      >
        <span>{does}</span>
      </Button>
    </Stack>
  );
}
