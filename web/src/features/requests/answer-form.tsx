import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { answerFields } from '@gatehouse/contract/answer-fields';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { type RecordRequest, useAnswerRequestMutation } from '#api/requests.ts';
import { useSubmit } from '#api/use-submit.ts';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';

const shape = z.object(answerFields);
type Answer = z.infer<typeof shape>;

type Props = FormDialogProps & { request: RecordRequest; onAnswered: () => void };

/** Answers what the facility replied to a request. */
export default function AnswerForm({ request, onAnswered, onClose, onBusy }: Props) {
  const [isSent, setSent] = useState(false);
  const [answerRequest] = useAnswerRequestMutation();
  const { register, handleSubmit, formState } = useForm<Answer>({
    defaultValues: { text: '' },
    mode: 'onTouched',
    resolver: standardSchemaResolver(shape),
  });
  const { submit, isBusy, error } = useSubmit<Answer>(async (body, idempotencyKey) => {
    const { tenantId, id: requestId } = request;
    await answerRequest({ tenantId, requestId, body, idempotencyKey }).unwrap();
    setSent(true);
    onAnswered();
  });

  if (isSent)
    return (
      <DialogDone title={t('Answer sent')} onClose={onClose}>
        <p>{t('Answer successfully sent')}</p>
        <p className="mt-1">{t('The facility gets it by email.')}</p>
      </DialogDone>
    );
  return (
    <DialogForm
      submitLabel={t('Send answer')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      <TextArea
        label={t('Your answer')}
        error={formState.errors.text?.message}
        {...register('text')}
      />
    </DialogForm>
  );
}
