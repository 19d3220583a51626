import { getOfficeDocument, type TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { documentStates, type DocumentRow } from '@gatehouse/contract/staff-documents';
import { Stack, Typography } from '@mui/material';
import { SelectInput, required } from 'react-admin';
import { call } from '#api/call.ts';
import { ActionButton } from '#parts/action-dialog.tsx';
import { formatInstant, State } from '#parts/format.tsx';
import { PaperButton } from '#parts/paper-button.tsx';
import { Section } from '#parts/section.tsx';

/** What the tenant signs and has signed, each with what can be done about it. */
export function Documents({ tenant }: { tenant: TenantFile }) {
  const { documents, forms, ledgers } = tenant;
  const current = ledgers.filter(({ isEnded }) => !isEnded);
  const canSend = forms.length > 0 && current.length > 0;
  if (documents.length === 0 && !canSend) return null;
  return (
    <Section title="Documents">
      <Stack component="ul" sx={{ gap: 1, m: 0, p: 0, mb: 1 }}>
        {documents.map((document) => (
          <Document key={document.documentId} document={document} />
        ))}
      </Stack>
      {canSend && (
        <ActionButton
          action={officeVerbs['documents.send']}
          label="Send a document to sign"
          variant="outlined"
          defaultValues={{
            ledgerId: current[0]!.ledgerId,
            ...(forms.length === 1 && { formId: forms[0]!.formId }),
          }}
          given={(form) => ({ ledgerId: form.text('ledgerId') })}
          inputs={{
            formId: (
              <SelectInput
                source="formId"
                label="Form"
                validate={required('Name a form.')}
                choices={forms.map(({ formId: id, name }) => ({ id, name }))}
              />
            ),
          }}
        >
          <SelectInput
            source="ledgerId"
            label="Rental"
            validate={required('Name a rental.')}
            choices={current.map(({ ledgerId: id, unitName: name }) => ({ id, name }))}
          />
        </ActionButton>
      )}
    </Section>
  );
}

const tones = {
  sent: 'warning',
  completed: 'success',
  declined: 'error',
  expired: 'default',
  voided: 'default',
} as const;

function Document({ document }: { document: DocumentRow }) {
  const { documentId, formName, unitName, state, isSignedHere, endsAt, hasFile, signers } =
    document;
  const until = state === 'sent' && endsAt !== null ? `, until ${formatInstant(endsAt)}` : '';
  const isOpen = isSignedHere && (state === 'sent' || state === 'expired');
  const given = { documentId };
  return (
    <Stack component="li" sx={{ listStyle: 'none' }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <span>{`${formName}, ${unitName}${until}`}</span>
        <State tone={tones[state]}>{documentStates[state]}</State>
        {hasFile && (
          <PaperButton
            label="Signed copy"
            name={`Signed copy of ${formName}, ${unitName}`}
            read={() => call(getOfficeDocument, { params: given })}
          />
        )}
        {isOpen && (
          <ActionButton
            action={officeVerbs['documents.resend']}
            label="Mail the link again"
            explanation="Links mailed before end, and the days to sign begin anew."
            given={given}
          />
        )}
        {isSignedHere && (isOpen || state === 'declined') && (
          <ActionButton
            action={officeVerbs['documents.void']}
            label="Withdraw"
            explanation="Its links end at once, and the tenant no longer sees it."
            given={given}
            isDanger
          />
        )}
      </Stack>
      {signers.map(({ name, email, signedAt, declineReason }, index) => (
        <Typography key={index} variant="body2" color="text.secondary">
          {`${name}, ${email}: ${stateOf(signedAt, declineReason)}`}
        </Typography>
      ))}
    </Stack>
  );
}

function stateOf(signedAt: string | null, declineReason: string | null): string {
  if (signedAt !== null) return `signed ${formatInstant(signedAt)}`;
  return declineReason === null ? 'not signed yet' : `declined: ${declineReason}`;
}
