import {
  cancelImport,
  getImport,
  type ImportRun,
  listImports,
} from '@gatehouse/contract/office/imports';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Alert, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { ActionButton } from '#parts/action-dialog.tsx';
import { Failure, LoadFailure } from '#parts/failure.tsx';
import { formatInstant } from '#parts/format.tsx';
import { Section } from '#parts/section.tsx';
import { useStep } from '#parts/use-step.ts';

const POLL_MS = 700;
const LIST = ['imports'];
type Listed = Omit<ImportRun, 'report'>;

export const isUnderWay = ({ state }: Listed) => state === 'waiting' || state === 'running';

/** The import that this page asked for last, as it is now; undefined before there is one. */
export function useRun(started: ImportRun | null): ImportRun | undefined {
  const client = useQueryClient();
  const importId = started?.importId ?? '';
  const { data } = useQuery({
    queryKey: ['import', importId],
    queryFn: async ({ signal }) => {
      const params = { importId };
      const run = await call(getImport, { params }, signal, { isPoll: true });
      if (!isUnderWay(run)) await client.invalidateQueries({ queryKey: LIST });
      return run;
    },
    enabled: started !== null,
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : POLL_MS),
  });
  return started === null ? undefined : (data ?? started);
}

/** How far an import or a preview is, with a button that cancels it. */
export function Progress({ run }: { run: Listed }) {
  const client = useQueryClient();
  const { step, isBusy, error } = useStep();
  const { importId, progress } = run;
  const cancel = () =>
    step(async () => {
      await call(cancelImport, { params: { importId } });
      await client.invalidateQueries({ queryKey: ['import', importId] });
      await client.invalidateQueries({ queryKey: LIST });
    });
  const says =
    progress === null
      ? 'Reading the files'
      : `${progress.of}: ${progress.done} of ${progress.total}`;
  return (
    <Stack sx={{ gap: 1 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography role="status">{run.state === 'waiting' ? 'Waiting to begin' : says}</Typography>
        <Button size="small" variant="outlined" loading={isBusy} onClick={() => void cancel()}>
          <span>{run.isPreview ? 'Stop reading' : 'Cancel the import'}</span>
        </Button>
      </Stack>
      <LinearProgress
        aria-label="Progress"
        {...(progress !== null &&
          progress.total > 0 && {
            variant: 'determinate',
            value: Math.min(100, (100 * progress.done) / progress.total),
          })}
      />
      <Failure error={error} />
    </Stack>
  );
}

/** What came of an import that has ended, where that is more than its report. */
export function Outcome({ run }: { run: Listed }) {
  if (run.isPreview && run.state === 'cancelled') return null;
  const imported = importedText(run);
  if (run.state === 'done' && imported !== null)
    return (
      <Alert severity="success" role="status">
        {`${imported} Tenants sign up with the email of their record.`}
      </Alert>
    );
  if (run.state === 'cancelled')
    return (
      <Alert severity="info" role="status">
        {`The import was cancelled. ${imported ?? 'Nothing was written.'}`}
      </Alert>
    );
  if (run.state !== 'failed') return null;
  return <Failure error={[run.says ?? '', imported ?? ''].filter(Boolean).join(' ')} />;
}

function importedText({ imported }: Listed): string | null {
  const texts = [false, true].flatMap((isUndone) => {
    const places = imported.filter((place) => place.isUndone === isUndone);
    if (places.length === 0) return [];
    const leases = places.reduce((sum, place) => sum + place.leases, 0);
    const at = places.map(({ facility }) => facility).join(', ');
    const what = leases === 1 ? '1 lease is' : `${leases} leases are`;
    return [`${what} ${isUndone ? 'taken back' : 'imported'} at ${at}.`];
  });
  return texts.join(' ') || null;
}

const isUndoable = (run: Listed) =>
  !isUnderWay(run) && run.imported.some(({ isUndone }) => !isUndone);

/** The last imports; one that is under way shows its progress, also after the page was left. */
export function Runs({ shown }: { shown: string | undefined }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => call(listImports, {}, signal, { isPoll: true }),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? POLL_MS : false),
  });
  if (error) return <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>;
  const rows = data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title="Imports so far">
      <Stack component="ul" sx={{ gap: 1, m: 0, p: 0, listStyle: 'none' }}>
        {rows.map((run) => (
          <li key={run.importId}>
            <Typography sx={{ overflowWrap: 'anywhere' }}>
              {[
                `${formatInstant(run.createdAt)}, ${run.by}: ${run.undoes === null ? '' : 'undoing an import, '}${states[run.state]}.`,
                ...[importedText(run) ?? '', run.says ?? ''],
              ]
                .filter(Boolean)
                .join(' ')}
            </Typography>
            {isUndoable(run) && (
              <ActionButton
                action={officeVerbs['imports.undo']}
                label="Undo this import"
                given={{ importId: run.importId }}
                isDanger
                onDone={() => void client.invalidateQueries({ queryKey: LIST })}
              />
            )}
            {isUnderWay(run) && run.importId !== shown && <Progress run={run} />}
          </li>
        ))}
      </Stack>
    </Section>
  );
}

const states: Record<ImportRun['state'], string> = {
  waiting: 'waiting to begin',
  running: 'under way',
  done: 'done',
  failed: 'not done',
  cancelled: 'cancelled',
};
