import { t } from '@gatehouse/language/t';

/**
 * Why a form could not be sent, as the tenant reads it: the server's sentence, or, where no usable
 * answer came (status 0), ours, and that the form has kept what was entered.
 */
export function failedSubmit({ status, message }: { status: number; message: string }): string {
  return status === 0 ? t('{message} What you entered is still here.', { message }) : message;
}
