import type { SigningView } from '@gatehouse/contract/signing';
import { locale } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import { fetchPdf } from './use-signing.ts';

type Props = { token: string; pdf: NonNullable<SigningView['pdf']> };

/** A document that is a PDF, to read; under it are its places. */
export function ReadPdf({ token, pdf: { pages, bytes } }: Props) {
  const { submit, isBusy, error } = useSubmit<object>(async () => saveFile(await fetchPdf(token)));
  const size = new Intl.NumberFormat(locale(), {
    ...{ style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 },
  }).format(Math.max(0.1, bytes / 1_000_000));
  return (
    <div className="flex flex-col gap-3 border-b border-line pb-4">
      <p>
        {pages === 1
          ? t('The document is a PDF of 1 page ({size}). Read it before you sign.', { size })
          : t('The document is a PDF of {pages} pages ({size}). Read it before you sign.', {
              pages,
              size,
            })}
      </p>
      {error !== null && <Failure isBusy={isBusy}>{error}</Failure>}
      <Button
        variant="secondary"
        icon="download"
        busy={isBusy}
        className="self-start"
        onClick={() => void submit({})}
      >
        {t('Download the document')}
      </Button>
    </div>
  );
}
