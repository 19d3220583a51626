import { noticePlaceholders } from '@gatehouse/contract/late-notices';
import {
  getLateLetters,
  keepLateTemplate,
  type LateRow,
  type LateTemplate,
  listLateTemplates,
} from '@gatehouse/contract/office/late';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import {
  Alert,
  Box,
  Button as MuiButton,
  Card,
  CardContent,
  Skeleton,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { TextInput, required, useListContext, useUnselectAll } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { hasRole } from '#api/auth-provider.ts';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import { ActionButton, type Reply } from './action-dialog.tsx';
import { typedText } from './form-reader.ts';
import { PaperButton } from './paper-button.tsx';

/** The rentals that are selected, and what both ways to write to their tenants share. */
function useSelected(means: 'mail' | 'letter') {
  const { data = [], selectedIds } = useListContext<LateRow>();
  const { me } = useSession();
  const onDone = useUnselectAll('late');
  const rows = data.filter(({ id }) => selectedIds.includes(id));
  const codes = [...new Set(rows.map(({ locationCode }) => locationCode))];
  const facility = me?.facilities.find(({ locationCode }) => locationCode === codes[0]);
  return {
    explanation:
      codes.length > 1
        ? `The selection is of ${codes.join(', ')}. Each facility has its own texts: choose rentals of one.`
        : `Each tenant gets one ${means} about all of their rentals that are late and not on hold, and at most one a day.`,
    given: { ledgerIds: rows.map(({ id }) => id) },
    inputs: { subject: null, text: facility && <Texts facilityId={facility.id} /> },
    defaultValues: { subject: '', text: '' },
    onDone,
  };
}

/** Mails a late notice to the tenants of the selected rentals, from a text that is kept. */
export function MailLateNotice() {
  return (
    <ActionButton
      {...useSelected('mail')}
      action={officeVerbs['notices.send']}
      label="Mail a notice"
      describe={(reply, isDone) => (
        <Written
          {...reply}
          says={`${tenants(reply.recipients)} ${isDone ? (reply.recipients === 1 ? 'is' : 'are') : 'will be'} mailed.`}
          firstIs="The first mail"
          below="Below it: what is late by unit, and a link to the portal."
        >
          {isDone && <Typography>Each mail is on its tenant’s page under Mails.</Typography>}
        </Written>
      )}
    />
  );
}

/** Writes letters to the tenants of the selected rentals, as one PDF to print. */
export function PrintLateLetters() {
  return (
    <ActionButton
      {...useSelected('letter')}
      action={officeVerbs['notices.print']}
      label="Print letters"
      describe={(reply, isDone) => (
        <Written
          {...reply}
          says={`${isDone ? 'Written' : 'To be written'} to ${tenants(reply.recipients)}, a page each, for US #10 envelopes with a window.`}
          firstIs="The first letter"
          below="Below it: what is late by unit."
        >
          {isDone && reply.recipients > 0 && (
            <Box>
              <PaperButton
                label="Save the PDF"
                read={() =>
                  call(getLateLetters, { params: { printingId: reply.printingId }, query: {} })
                }
              />
              <Typography>Each letter is on its tenant’s page under Mails.</Typography>
            </Box>
          )}
        </Written>
      )}
    />
  );
}

function tenants(count: number): string {
  return count === 1 ? '1 tenant' : `${count} tenants`;
}

type WrittenProps = Reply<(typeof officeVerbs)['notices.send']> & {
  says: string;
  firstIs: string;
  below: string;
  children: ReactNode;
};

/** To how many, to whom not, and the first of them as it is sent. */
function Written({ says, firstIs, below, first, skipped, children }: WrittenProps) {
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Typography sx={{ fontWeight: 650 }}>{says}</Typography>
      {skipped.map(({ tenantId, tenantName, because }) => (
        <Typography key={tenantId}>{`Not to ${tenantName}: ${because}`}</Typography>
      ))}
      {first && (
        <Card variant="outlined" component="section" aria-label={firstIs}>
          <CardContent>
            <Typography
              variant="body2"
              color="text.secondary"
              sx={{ whiteSpace: 'pre-wrap' }}
            >{`To ${first.to}`}</Typography>
            <Typography sx={{ fontWeight: 650, mb: 1 }}>{first.subject}</Typography>
            <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {first.text}
            </Typography>
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
              {below}
            </Typography>
          </CardContent>
        </Card>
      )}
      {children}
    </Stack>
  );
}

function Texts({ facilityId }: { facilityId: string }) {
  const queryKey = ['late-templates', facilityId];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listLateTemplates, { params: { facilityId } }, signal),
  });
  if (error) return <Alert severity="error">{error.message}</Alert>;
  if (!data) return <Skeleton variant="rounded" height={240} />;
  return <Fields templates={data.templates} facilityId={facilityId} queryKey={queryKey} />;
}

type FieldsProps = { templates: LateTemplate[]; facilityId: string; queryKey: string[] };

function Fields({ templates, facilityId, queryKey }: FieldsProps) {
  const { setValue, getValues } = useFormContext();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const [said, setSaid] = useState<{ severity: 'success' | 'error'; text: string } | null>(null);

  function choose(next: string) {
    setChosen(next);
    const template = templates.find((one) => one.name === next);
    if (template === undefined) return;
    setValue('subject', template.subject, { shouldValidate: true });
    setValue('text', template.text, { shouldValidate: true });
    setName(template.id === null ? '' : template.name);
  }

  async function keep() {
    const typed = (field: string) => typedText(getValues(field));
    const body = { key: crypto.randomUUID(), name, subject: typed('subject'), text: typed('text') };
    try {
      const kept = await call(keepLateTemplate, { params: { facilityId }, body });
      queries.setQueryData(queryKey, kept);
      setChosen(name.trim());
      setSaid({ severity: 'success', text: 'The text is kept.' });
    } catch (failure) {
      setSaid({ severity: 'error', text: (failure as Error).message });
    }
  }

  return (
    <>
      <TextField
        select
        label="Text"
        value={chosen}
        onChange={({ target }) => choose(target.value)}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      >
        <option value="">Choose a text, or write one</option>
        {templates.map((template) => (
          <option key={template.name} value={template.name}>
            {template.name}
          </option>
        ))}
      </TextField>
      <TextInput source="subject" label="Subject" validate={required('Enter the subject.')} />
      <TextInput
        source="text"
        label="Wording"
        multiline
        minRows={6}
        validate={required('Enter the wording.')}
        helperText={`Filled in for each tenant: ${Object.keys(noticePlaceholders)
          .map((each) => `{${each}}`)
          .join(' ')}`}
      />
      {hasRole('manager') && (
        <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
          <TextField
            size="small"
            label="Keep it as"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <MuiButton disabled={name.trim() === ''} onClick={() => void keep()}>
            Keep the text
          </MuiButton>
        </Stack>
      )}
      {said && <Alert severity={said.severity}>{said.text}</Alert>}
    </>
  );
}
