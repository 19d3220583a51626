import {
  actOnStaff,
  changeStaff,
  inviteStaff,
  type StaffRow,
} from '@gatehouse/contract/office/staff';
import { officeRoles } from '@gatehouse/contract/office/office-endpoint';
import {
  Alert,
  Button as MuiButton,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
} from '@mui/material';
import { useState } from 'react';
import {
  BooleanInput,
  CheckboxGroupInput,
  DataTable,
  Form,
  FormDataConsumer,
  SelectInput,
  TextInput,
  required,
  useNotify,
  useRecordContext,
  useRefresh,
} from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import { FormReader, noRecord } from '#parts/form-reader.ts';
import { InstantField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';

/** Accounts and roles. */
export function StaffList() {
  return (
    <OfficeList
      title="Staff"
      empty="There is no member of staff yet."
      rowClick="expand"
      expand={<AccountActions />}
      actions={<Invite />}
    >
      <DataTable.Col source="name" label="Name" disableSort />
      <DataTable.Col source="email" label="Email" disableSort />
      <DataTable.Col source="role" label="Role" disableSort />
      <DataTable.Col label="Facilities" disableSort>
        <Facilities />
      </DataTable.Col>
      <DataTable.Col label="State" disableSort>
        <StaffState />
      </DataTable.Col>
      <DataTable.Col label="Last sign-in" disableSort>
        <InstantField source="lastSignInAt" />
      </DataTable.Col>
    </OfficeList>
  );
}

function Facilities() {
  const member = useRecordContext<StaffRow>();
  return <>{member?.isForAllFacilities ? 'All' : member?.locationCodes.join(', ')}</>;
}

function StaffState() {
  const member = useRecordContext<StaffRow>();
  if (!member) return null;
  if (member.state === 'disabled') return <State tone="error">Disabled</State>;
  if (member.state === 'invited') return <State tone="warning">Invited</State>;
  return <State>{member.hasSecondStep ? 'Active, second step' : 'Active'}</State>;
}

const actions = {
  invite: 'Mail an invitation',
  resetSecondStep: 'Reset the second step',
  enable: 'Enable',
  disable: 'Disable',
} as const;
type AccountAction = keyof typeof actions;

function AccountActions() {
  const member = useRecordContext<StaffRow>();
  const refresh = useRefresh();
  const notify = useNotify();
  if (!member) return null;
  async function act(action: AccountAction) {
    try {
      await call(actOnStaff, { params: { staffId: member!.id }, body: { action } });
      notify(`${actions[action]}: done. It is mailed.`, { type: 'success' });
      refresh();
    } catch (error) {
      notify((error as Error).message, { type: 'error' });
    }
  }
  const offered: AccountAction[] = [
    ...(member.state === 'disabled' ? (['enable'] as const) : (['invite'] as const)),
    ...(member.hasSecondStep ? (['resetSecondStep'] as const) : []),
    ...(member.state === 'disabled' ? [] : (['disable'] as const)),
  ];
  return (
    <Stack direction="row" sx={{ gap: 1, py: 1, flexWrap: 'wrap' }}>
      <ChangeRole member={member} />
      {offered.map((action) => (
        <MuiButton
          key={action}
          size="small"
          color={action === 'disable' ? 'error' : 'primary'}
          onClick={() => void act(action)}
        >
          {actions[action]}
        </MuiButton>
      ))}
    </Stack>
  );
}

function Invite() {
  return (
    <AccountDialog
      label="Invite"
      defaultValues={{ role: 'clerk', isForAllFacilities: false, locationCodes: [] }}
      withEmail
      onSubmit={(fields, email) => call(inviteStaff, { body: { email, ...fields } })}
    />
  );
}

function ChangeRole({ member }: { member: StaffRow }) {
  const { id: staffId, role, isForAllFacilities, locationCodes } = member;
  return (
    <AccountDialog
      label="Change the role"
      defaultValues={{ role, isForAllFacilities, locationCodes }}
      onSubmit={(body) => call(changeStaff, { params: { staffId }, body })}
    />
  );
}

type AccountFields = Pick<StaffRow, 'role' | 'isForAllFacilities' | 'locationCodes'>;
type AccountDialogProps = {
  label: string;
  defaultValues: AccountFields;
  withEmail?: boolean;
  onSubmit: (fields: AccountFields, email: string) => Promise<unknown>;
};

/** Role and facilities of an account; an owner is for all of them. */
function AccountDialog({ label, defaultValues, withEmail = false, onSubmit }: AccountDialogProps) {
  const { me } = useSession();
  const refresh = useRefresh();
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function submit(values: FieldValues) {
    const form = new FormReader(values);
    setError(null);
    const role = form.one('role', officeRoles);
    const isForAllFacilities = role === 'owner' || form.isYes('isForAllFacilities');
    try {
      await onSubmit(
        {
          role,
          isForAllFacilities,
          locationCodes: isForAllFacilities ? [] : form.list('locationCodes'),
        },
        form.text('email'),
      );
      notify(`${label}: done.`, { type: 'success' });
      setOpen(false);
      refresh();
    } catch (failure) {
      setError((failure as Error).message);
    }
  }
  return (
    <>
      <MuiButton size="small" onClick={() => setOpen(true)}>
        {label}
      </MuiButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} fullWidth maxWidth="xs">
        <DialogTitle>{label}</DialogTitle>
        <Form record={noRecord} defaultValues={defaultValues} onSubmit={submit}>
          <DialogContent>
            {withEmail && (
              <TextInput source="email" label="Email" type="email" validate={required()} />
            )}
            <SelectInput
              source="role"
              validate={required()}
              choices={officeRoles.map((id) => ({ id, name: id }))}
            />
            <FormDataConsumer>
              {({ formData }) =>
                formData['role'] !== 'owner' && (
                  <>
                    <BooleanInput source="isForAllFacilities" label="All facilities" />
                    {formData['isForAllFacilities'] !== true && (
                      <CheckboxGroupInput
                        source="locationCodes"
                        label="Facilities"
                        choices={(me?.facilities ?? []).map(({ locationCode, name }) => ({
                          id: locationCode,
                          name: `${locationCode} ${name}`,
                        }))}
                      />
                    )}
                  </>
                )
              }
            </FormDataConsumer>
            {error !== null && (
              <Alert severity="error" role="alert">
                {error}
              </Alert>
            )}
          </DialogContent>
          <DialogActions>
            <MuiButton onClick={() => setOpen(false)}>Cancel</MuiButton>
            <MuiButton type="submit" variant="contained">
              {label}
            </MuiButton>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
