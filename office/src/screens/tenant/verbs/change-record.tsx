import { formatPhone } from '@gatehouse/contract/phone';
import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { ActionButton } from '#parts/action-dialog.tsx';

/** Names, phone, address and tags as they are, to be changed; what is emptied is removed. */
export function ChangeRecord({ tenant }: { tenant: TenantFile }) {
  const { company, firstName, lastName, phone, address, isMilitary, tags } = tenant;
  return (
    <ActionButton
      action={officeVerbs['tenants.change']}
      label="Change the record"
      defaultValues={{
        ...{ company: company ?? '', firstName, lastName },
        phone: phone === null ? '' : formatPhone(phone),
        ...address,
        street2: address.street2 ?? '',
        ...{ isMilitary, tags: tags.join(', ') },
      }}
      given={(form) => ({
        tenantId: tenant.id,
        company: form.text('company'),
        street2: form.text('street2'),
        tags: form.text('tags'),
      })}
    />
  );
}
