import { listUndeliverable } from '@gatehouse/contract/office/imports';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Link, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router-dom';
import { call } from '#api/call.ts';
import { ActionButton } from '#parts/action-dialog.tsx';
import { FacilityInput, useUsualFacility } from '#parts/facility-input.tsx';
import { LoadFailure } from '#parts/failure.tsx';
import { Section } from '#parts/section.tsx';

/** Mails the way to sign up to those who rent here, and says whom it could not reach. */
export function Invitations() {
  const usual = useUsualFacility();
  const { data, error, refetch } = useQuery({
    queryKey: ['undeliverable-invitations'],
    queryFn: ({ signal }) => call(listUndeliverable, {}, signal),
  });
  return (
    <Section title="Invitations">
      <Typography sx={{ mb: 1 }}>
        Mails the way to sign up to tenants who rent and have no sign-in yet, each address once,
        four a second.
      </Typography>
      <ActionButton
        action={officeVerbs['tenants.invite']}
        label="Invite tenants"
        variant="outlined"
        given={(form) => ({ locationCode: form.text('locationCode') })}
        defaultValues={{ locationCode: usual }}
      >
        <FacilityInput />
      </ActionButton>
      {error && <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>}
      {data && data.rows.length > 0 && (
        <>
          <Typography variant="subtitle1" component="h3" sx={{ mt: 2 }}>
            {`Not deliverable (${data.rows.length})`}
          </Typography>
          <ul>
            {data.rows.map(({ tenantId, name, locationCode, email, fault }) => (
              <Typography component="li" key={tenantId} sx={{ overflowWrap: 'anywhere' }}>
                <Link component={RouterLink} to={`/tenants/${tenantId}/show`}>
                  {name}
                </Link>
                <span>{`, ${locationCode}, ${email}: ${fault}`}</span>
              </Typography>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
