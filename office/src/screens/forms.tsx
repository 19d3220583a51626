import { getFormSample, type FacilityFile } from '@gatehouse/contract/office/settings';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { FORM_FILE_BYTES, type FormRow } from '@gatehouse/contract/staff-documents';
import { Stack, Typography } from '@mui/material';
import { TextInput, required } from 'react-admin';
import { call } from '#api/call.ts';
import { ActionButton } from '#parts/action-dialog.tsx';
import { PaperButton } from '#parts/paper-button.tsx';
import { PdfInput } from '#parts/pdf-input.tsx';
import { Section } from '#parts/section.tsx';

/** The document forms of a facility. One is not changed: it is retired, and added anew. */
export function Forms({
  facility: { locationCode, forms },
  onChange,
}: {
  facility: FacilityFile;
  onChange: () => void;
}) {
  return (
    <Section title="Document forms">
      <Typography color="text.secondary" sx={{ mb: 1 }}>
        What tenants sign. A form is not changed: retire it, and add it anew.
      </Typography>
      <Stack component="ul" sx={{ gap: 1, m: 0, p: 0, mb: 1, listStyle: 'none' }}>
        {forms.map((form) => (
          <OneForm key={form.formId} form={form} onChange={onChange} />
        ))}
        {forms.length === 0 && <Typography component="li">There is none yet.</Typography>}
      </Stack>
      <ActionButton
        action={officeVerbs['forms.add']}
        label="Add a document form"
        variant="outlined"
        given={{ locationCode }}
        explanation="Empty lines part paragraphs; # begins a heading. Fields: {tenant}, {tenant address}, {unit}, {unit size}, {monthly rent}, {first day}, {today}, {facility} and others. Places, each in a paragraph of its own: {signature}, {initials}, {second signature}, {second initials}."
        inputs={{
          pdf: null,
          text: (
            <TextInput
              source="text"
              label="Text"
              multiline
              minRows={10}
              maxRows={20}
              validate={required('Type the text.')}
            />
          ),
        }}
        onDone={onChange}
      />{' '}
      <ActionButton
        action={officeVerbs['forms.add']}
        label="Add a PDF form"
        variant="outlined"
        given={{ locationCode }}
        explanation="A PDF of at most 50 pages whose form fields have the names of a text’s: tenant, unit, monthly rent and others, and signature where the tenant signs. What is printed on its pages is kept; scripts, links, comments and attachments are not."
        inputs={{
          text: null,
          pdf: <PdfInput source="pdf" label="PDF *" mostBytes={FORM_FILE_BYTES} />,
        }}
        onDone={onChange}
      />
    </Section>
  );
}

function OneForm({ form, onChange }: { form: FormRow; onChange: () => void }) {
  const { formId, name, isAtMoveIn, secondName, text, pages } = form;
  const also = [
    ...(pages === null ? [] : [pages === 1 ? 'PDF of 1 page' : `PDF of ${pages} pages`]),
    ...(isAtMoveIn ? ['at each move-in'] : []),
    ...(secondName === null ? [] : [`second signer ${secondName}`]),
  ];
  return (
    <Stack component="li">
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <span>{[name, ...also].join(', ')}</span>
        {pages !== null && (
          <PaperButton
            label="Download a sample"
            name={`Download a sample of ${name}`}
            read={() => call(getFormSample, { params: { formId } })}
          />
        )}
        <ActionButton
          action={officeVerbs['forms.retire']}
          label="Retire"
          explanation="No document is made of it any more. Those that were made stay."
          given={{ formId }}
          onDone={onChange}
        />
      </Stack>
      {text !== null && (
        <details>
          <summary>Text</summary>
          <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
            {text}
          </Typography>
        </details>
      )}
    </Stack>
  );
}
