import {
  answerRequest,
  getRequestPhoto,
  type RequestFile,
  type RequestRow,
} from '@gatehouse/contract/office/requests';
import { REPLY_MAX } from '@gatehouse/contract/answer-fields';
import { requestStatuses } from '@gatehouse/contract/tracked-requests';
import { Alert, Button, CardContent, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  DataTable,
  HttpError,
  Link,
  SelectInput,
  Show,
  useNotify,
  useRecordContext,
  useRefresh,
} from 'react-admin';
import { call } from '#api/call.ts';
import { Fact, Facts } from '#parts/facts.tsx';
import { Failure } from '#parts/failure.tsx';
import { formatInstant, InstantField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { useStep } from '#parts/use-step.ts';
import { useWholeRecord } from '#parts/use-whole-record.ts';

const filters = [
  <SelectInput
    key="standing"
    source="standing"
    label="Show"
    alwaysOn
    choices={[
      { id: 'open', name: 'Open' },
      { id: 'done', name: 'Done' },
    ]}
  />,
];

/** The inbox: what tenants asked, by facility. */
export function RequestList() {
  return (
    <OfficeList
      title="Requests"
      filters={filters}
      empty="No request fits. Everything is answered."
      sort={{ field: 'createdAt', order: 'DESC' }}
      rowClick="show"
      exportAs="Requests"
    >
      <DataTable.Col source="reference" label="Reference" disableSort />
      <DataTable.Col source="title" label="About" disableSort />
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col label="Status" disableSort field={RequestState} />
      <DataTable.Col source="createdAt" label="Asked" field={InstantField} />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

/** The requests of a tenant or about a unit; a row with a photo shows it. */
export function RequestsOf({ of, empty }: { of: Record<string, string>; empty: string }) {
  return (
    <OfficeList
      resource="requests"
      isInner
      title=" "
      filter={of}
      empty={empty}
      sort={{ field: 'createdAt', order: 'DESC' }}
      rowClick="show"
      expand={<RowPhoto />}
      isRowExpandable={({ hasPhoto }) => hasPhoto === true}
    >
      <DataTable.Col source="reference" label="Reference" disableSort />
      <DataTable.Col source="title" label="About" disableSort />
      <DataTable.Col label="Status" disableSort field={RequestState} />
      <DataTable.Col source="createdAt" label="Asked" disableSort field={InstantField} />
    </OfficeList>
  );
}

function RowPhoto() {
  const request = useRecordContext<RequestRow>();
  return request ? <Photo requestId={request.id} about={request.title} /> : null;
}

function RequestState() {
  const request = useRecordContext<RequestRow>();
  if (!request) return null;
  return (
    <State tone={request.status === 'new' ? 'warning' : 'default'}>
      {requestStatuses[request.status]}
    </State>
  );
}

/** One request with its photo, what was done, and the reply. */
export function RequestShow() {
  return (
    <Show>
      <RequestPage />
    </Show>
  );
}

function RequestPage() {
  const request = useWholeRecord<RequestFile>('events');
  if (!request) return null;
  return (
    <CardContent>
      <Stack sx={{ gap: 3, maxWidth: 720 }}>
        <Typography variant="h6" component="h2">
          {request.title}
        </Typography>
        <Facts>
          <Fact label="Tenant">
            <Link to={`/tenants/${request.tenantId}/show`}>{request.tenantName}</Link>
          </Fact>
          <Fact label="Status">
            <RequestState />
          </Fact>
          <Fact label="Asked">
            <InstantField source="createdAt" />
          </Fact>
          <Fact label="Facility">{request.locationCode}</Fact>
        </Facts>
        {request.asked.map(({ label, text }) => (
          <div key={label}>
            <Typography variant="body2" color="text.secondary">
              {label}
            </Typography>
            <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Typography>
          </div>
        ))}
        {request.hasPhoto && <Photo requestId={request.id} about={request.title} />}
        <Events events={request.events} />
        <ReplyForm request={request} />
      </Stack>
    </CardContent>
  );
}

function Photo({ requestId, about }: { requestId: string; about: string }) {
  const { data, error } = useQuery({
    queryKey: ['photo', requestId],
    queryFn: ({ signal }) => call(getRequestPhoto, { params: { requestId } }, signal),
    staleTime: Infinity,
  });
  if (error)
    return <Alert severity="error">{`The photo could not be loaded: ${error.message}`}</Alert>;
  if (!data) return <Typography>Loading the photo…</Typography>;
  return (
    <img
      src={`data:${data.contentType};base64,${data.data}`}
      alt={`Attached to: ${about}`}
      style={{ maxWidth: '100%', maxHeight: '60vh', borderRadius: 8, alignSelf: 'flex-start' }}
    />
  );
}

const eventNames = {
  created: 'Asked',
  replied: 'Replied',
  answered: 'Tenant answered',
  status_changed: 'Status changed',
  objected: 'Objected',
};

function Events({ events }: Pick<RequestFile, 'events'>) {
  return (
    <Stack component="ol" sx={{ gap: 1, m: 0, pl: 2 }} aria-label="What was done">
      {events.map(({ id, kind, status, text, author, via, at }) => (
        <li key={id}>
          <Typography
            variant="body2"
            color="text.secondary"
          >{`${formatInstant(at)} · ${eventNames[kind]} · ${requestStatuses[status]} · ${author ?? via}`}</Typography>
          {text !== null && <Typography sx={{ whiteSpace: 'pre-wrap' }}>{text}</Typography>}
        </li>
      ))}
    </Stack>
  );
}

/** Reply, status, or both; of two clerks at once the second reads what the first did. */
function ReplyForm({ request: { id, version, status } }: { request: RequestFile }) {
  const refresh = useRefresh();
  const notify = useNotify();
  const [reply, setReply] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { step, isBusy, error } = useStep();

  const answer = (next: 'in_progress' | 'done' | null) =>
    step(async () => {
      const text = reply.trim();
      if (next === null && text === '') throw new HttpError('Write a reply.', 422);
      try {
        await call(answerRequest, {
          params: { requestId: id },
          body: { key, version, reply: text === '' ? null : text, status: next },
        });
      } catch (failure) {
        // What another member did meanwhile is shown next to what was typed.
        if (failure instanceof HttpError && failure.status === 409) refresh();
        throw failure;
      }
      setReply('');
      setKey(crypto.randomUUID());
      notify('The tenant is mailed.', { type: 'success' });
      refresh();
    });

  return (
    <Stack sx={{ gap: 1 }}>
      <TextField
        label="Reply to the tenant"
        value={reply}
        onChange={({ target }) => setReply(target.value)}
        multiline
        minRows={3}
        slotProps={{ htmlInput: { maxLength: REPLY_MAX } }}
      />
      <Failure error={error} />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button variant="contained" loading={isBusy} onClick={() => void answer(null)}>
          Reply
        </Button>
        {status === 'new' && (
          <Button variant="outlined" disabled={isBusy} onClick={() => void answer('in_progress')}>
            In progress
          </Button>
        )}
        {status !== 'done' && (
          <Button variant="outlined" disabled={isBusy} onClick={() => void answer('done')}>
            Done
          </Button>
        )}
      </Stack>
    </Stack>
  );
}
