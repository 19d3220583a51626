import type { LeasesReport } from '@gatehouse/contract/office/imports';
import {
  Alert,
  Box,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
} from '@mui/material';
import { Section } from '#parts/section.tsx';

type Props = {
  file: LeasesReport['files'][number];
  fields: string[];
  isBusy: boolean;
  /** Null leaves the column out. */
  onChange: (heading: string, field: string | null) => void;
};

/** What each column of a file is taken for, with values, to be changed. */
export function ColumnMap({
  file: { file, rows, columns, missing },
  fields,
  isBusy,
  onChange,
}: Props) {
  return (
    <Section title={`${file}: ${rows} rows`} label={`Columns of ${file}`}>
      {missing.length > 0 && (
        <Alert severity="error" sx={{ my: 1 }}>
          {`No column has ${missing.join(', nor ')}. Say which one does.`}
        </Alert>
      )}
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label="Columns">
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>Column</TableCell>
              <TableCell>Is</TableCell>
              <TableCell align="right">Rows</TableCell>
              <TableCell>Values</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {columns.map(({ heading, field, by, samples, filled }, place) => (
              <TableRow key={`${place} ${heading}`}>
                <TableCell>{heading || '(no heading)'}</TableCell>
                <TableCell>
                  <TextField
                    select
                    size="small"
                    hiddenLabel
                    disabled={isBusy || heading === ''}
                    value={field ?? ''}
                    onChange={({ target }) => onChange(heading, target.value || null)}
                    slotProps={{
                      select: { native: true },
                      htmlInput: { 'aria-label': `What ${heading || 'this column'} is` },
                    }}
                    sx={{ minWidth: 170 }}
                  >
                    <option value="">{by === 'unknown' ? 'Not understood' : 'Left out'}</option>
                    {fields.map((one) => (
                      <option key={one} value={one}>
                        {wordsOf(one)}
                      </option>
                    ))}
                  </TextField>
                </TableCell>
                <TableCell align="right">{filled}</TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 160 }}>
                  {samples.join(' · ')}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Section>
  );
}

/** `moved_in_on` as `Moved in on`. */
function wordsOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
