import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { useChooseLanguageMutation } from '#api/passkeys.ts';
import { useSubmit } from '#api/use-submit.ts';
import { askLanguage } from '#session/language-question.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';

/**
 * Asks once whether the account takes the language that it was signed in to in. Each page names its
 * own language: what is Spanish on an English page is English on a Spanish one.
 */
export default function KeepLanguage({ path }: { path: string }) {
  const [keptOn, setKeptOn] = useState<string | null>(null);
  const isKept = keptOn !== null;
  const answer = useRef<HTMLParagraphElement>(null);
  const [chooseLanguage] = useChooseLanguageMutation();
  const other = language() === 'es' ? 'en' : 'es';
  const { submit, isBusy, error } = useSubmit<{ isKept: boolean }>(async (given) => {
    await chooseLanguage(given.isKept ? language() : other).unwrap();
    askLanguage(false);
    if (given.isKept) setKeptOn(path);
    else location.assign(`/${other}${path}`);
  });
  useEffect(() => {
    if (isKept) answer.current?.focus();
  }, [isKept]);

  if (isKept && keptOn !== path) return null;
  return (
    <section aria-labelledby="keep-language" className="border-b border-line bg-brand-soft">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
        {isKept ? (
          <p ref={answer} id="keep-language" tabIndex={-1} className="py-3">
            {t('Your account is in English now, on every device.')}
          </p>
        ) : (
          <>
            <div className="min-w-0 flex-1 basis-56">
              <h2 id="keep-language" className="font-semibold">
                {t('Keep English?')}
              </h2>
              <p className="text-15">
                {t(
                  'Your account is in Spanish. Your answer counts on every device, and for emails.',
                )}
              </p>
            </div>
            <div className="flex flex-wrap gap-2 max-sm:w-full">
              <Button
                variant="secondary"
                className="px-4!"
                busy={isBusy}
                onClick={() => void submit({ isKept: true })}
              >
                {t('Keep English')}
              </Button>
              <Button
                variant="secondary"
                className="px-4!"
                onClick={() => void submit({ isKept: false })}
              >
                {t('Use Spanish')}
              </Button>
            </div>
          </>
        )}
        {error !== null && (
          <div className="basis-full">
            <Failure isBusy={isBusy}>{error}</Failure>
          </div>
        )}
      </div>
    </section>
  );
}
