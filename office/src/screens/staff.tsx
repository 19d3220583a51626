import {
  actOnStaff,
  changeStaff,
  inviteStaff,
  type StaffRow,
} from '@gatehouse/contract/office/staff';
import { officeRoles } from '@gatehouse/contract/office/office-endpoint';
import {
  Button as MuiButton,
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
import { ActionButton } from '#parts/action-dialog.tsx';
import { Failure } from '#parts/failure.tsx';
import { FormDialog } from '#parts/form-dialog.tsx';
import { FormReader, noRecord } from '#parts/form-reader.ts';
import { InstantField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { useStep } from '#parts/use-step.ts';

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
      <DataTable.Col label="Facilities" disableSort render={facilitiesOf} />
      <DataTable.Col label="State" disableSort render={staffStateOf} />
      <DataTable.Col source="lastSignInAt" label="Last sign-in" disableSort field={InstantField} />
    </OfficeList>
  );
}

function facilitiesOf({ isForAllFacilities, locationCodes }: StaffRow) {
  return <span>{isForAllFacilities ? 'All' : locationCodes.join(', ')}</span>;
}

function staffStateOf(member: StaffRow) {
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
  if (!member) return null;
  const offered: AccountAction[] = [
    ...(member.state === 'disabled' ? (['enable'] as const) : (['invite'] as const)),
    ...(member.hasSecondStep ? (['resetSecondStep'] as const) : []),
    ...(member.state === 'disabled' ? [] : (['disable'] as const)),
  ];
  return (
    <Stack direction="row" sx={{ gap: 1, py: 1, flexWrap: 'wrap' }}>
      <ChangeRole member={member} />
      {offered.map((action) => (
        <ActionButton
          key={action}
          action={actOnStaff}
          params={{ staffId: member.id }}
          label={actions[action]}
          isDanger={action === 'disable' || action === 'resetSecondStep'}
          given={{ action }}
        />
      ))}
    </Stack>
  );
}

function ChangeRole({ member }: { member: StaffRow }) {
  const { id: staffId, role, isForAllFacilities, locationCodes } = member;
  return (
    <ActionButton
      action={changeStaff}
      params={{ staffId }}
      label="Change the role"
      given={accountFieldsOf}
      defaultValues={{ role, isForAllFacilities, locationCodes }}
    >
      <AccountInputs />
    </ActionButton>
  );
}

type AccountFields = Pick<StaffRow, 'role' | 'isForAllFacilities' | 'locationCodes'>;

/** What `AccountInputs` were filled in with: an owner is for all facilities. */
function accountFieldsOf(form: FormReader): AccountFields {
  const role = form.one('role', officeRoles);
  const isForAllFacilities = role === 'owner' || form.isYes('isForAllFacilities');
  return {
    role,
    isForAllFacilities,
    locationCodes: isForAllFacilities ? [] : form.list('locationCodes'),
  };
}

/** Role and facilities of an account. */
function AccountInputs() {
  const { me } = useSession();
  return (
    <>
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
    </>
  );
}

/** Invites by mail; the account is made at once. */
function Invite() {
  const refresh = useRefresh();
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const { step, isBusy, error } = useStep();
  const submit = (values: FieldValues) =>
    step(async () => {
      const form = new FormReader(values);
      await call(inviteStaff, { body: { email: form.text('email'), ...accountFieldsOf(form) } });
      notify('Invite: done.', { type: 'success' });
      setOpen(false);
      refresh();
    });
  return (
    <>
      <MuiButton size="small" onClick={() => setOpen(true)}>
        Invite
      </MuiButton>
      <FormDialog open={isOpen} onClose={() => setOpen(false)} fullWidth maxWidth="xs">
        <DialogTitle>Invite</DialogTitle>
        <Form
          record={noRecord}
          defaultValues={{ role: 'clerk', isForAllFacilities: false, locationCodes: [] }}
          onSubmit={submit}
        >
          <DialogContent>
            <TextInput source="email" label="Email" type="email" validate={required()} />
            <AccountInputs />
            <Failure error={error} />
          </DialogContent>
          <DialogActions>
            <MuiButton onClick={() => setOpen(false)}>Cancel</MuiButton>
            <MuiButton type="submit" variant="contained" loading={isBusy}>
              Invite
            </MuiButton>
          </DialogActions>
        </Form>
      </FormDialog>
    </>
  );
}
