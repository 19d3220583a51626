import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Stack } from '@mui/material';
import { BooleanInput } from 'react-admin';
import { anyAction } from '#parts/action-dialog.tsx';
import { Sentences } from '#parts/outcome.tsx';
import { todayAt } from '#parts/today-at.ts';
import { StatementButton } from '../paper-buttons.tsx';
import type { OfRecord } from './offers.tsx';

const action = officeVerbs['statements.issue'];

/** A statement of any days, of the year so far until others are chosen, to save and to mail. */
export function issueStatement({ tenant }: OfRecord) {
  const { id, email, executor, locationCode } = tenant;
  const reader = executor === null ? email : executor.name;
  const to = todayAt(locationCode);
  return anyAction({
    action,
    label: 'Statement',
    explanation:
      'What was owed before, every entry with the balance after it, and what was owed at the end, of each rental.',
    given: { tenantId: id },
    defaultValues: { from: to && `${to.slice(0, 4)}-01-01`, to, isMailed: false },
    inputs: { isMailed: <BooleanInput source="isMailed" label={`Mail it to ${reader}`} /> },
    actLabel: 'Issue the statement',
    describe: (reply, isDone) => (
      <Stack sx={{ gap: 1.5 }}>
        <Sentences action={action} reply={reply} isDone={isDone} />
        {reply.statementId !== null && (
          <StatementButton tenantId={id} statementId={reply.statementId} />
        )}
      </Stack>
    ),
  });
}
