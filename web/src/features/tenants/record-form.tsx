import type { TenantParams } from '@gatehouse/contract/tenants';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type ReactNode, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  useForm,
  type UseFormRegister,
} from 'react-hook-form';
import { useUpdateTenantMutation } from '#api/tenant-changes.ts';
import { useSubmit } from '#api/use-submit.ts';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

type Shape<Given extends FieldValues, Fields> = Parameters<
  typeof standardSchemaResolver<Given, unknown, Fields>
>[0];

type Props<Given extends FieldValues, Fields> = FormDialogProps & {
  tenantId: string;
  shape: Shape<Given, Fields>;
  defaultValues?: DefaultValues<Given>;
  /** What of the record the fields change. */
  bodyOf: (fields: Fields) => TenantParams;
  submitLabel: string;
  /** What is said once it is changed, in a title and a sentence. */
  title: string;
  done: string;
  children: (register: UseFormRegister<Given>, errors: FieldErrors<Given>) => ReactNode;
};

/** The content of a dialog that changes a part of a tenant record at once. */
export function RecordForm<Given extends FieldValues, Fields>({
  tenantId,
  shape,
  defaultValues,
  bodyOf,
  submitLabel,
  title,
  done,
  children,
  onClose,
  onBusy,
}: Props<Given, Fields>) {
  const [isDone, setDone] = useState(false);
  const [updateTenant] = useUpdateTenantMutation();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    defaultValues,
  });
  const { submit, isBusy, error } = useSubmit(async (fields: Fields) => {
    await updateTenant({ tenantId, body: bodyOf(fields) }).unwrap();
    setDone(true);
  });

  if (isDone)
    return (
      <DialogDone title={title} onClose={onClose}>
        {done}
      </DialogDone>
    );
  return (
    <DialogForm
      submitLabel={submitLabel}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      {children(register, formState.errors)}
    </DialogForm>
  );
}
