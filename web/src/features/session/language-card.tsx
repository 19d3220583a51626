import { language, type Language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { useChooseLanguageMutation } from '#api/passkeys.ts';
import { useGetRemindersQuery } from '#api/reminders.ts';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { cardClass } from '#ui/card.tsx';
import { Loadable } from '#ui/loadable.tsx';

/** The language of the account: of its mails, and of the pages in this browser from then on. */
export function LanguageCard({ tenantId }: { tenantId: string }) {
  const load = useGetRemindersQuery(tenantId);
  return (
    <section
      aria-labelledby="language"
      className={`${cardClass} flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-3!`}
    >
      <div className="min-w-0 flex-1 basis-56">
        <h2 id="language" className="text-17 font-semibold">
          {t('Language')}
        </h2>
        <p className="text-15 text-muted">
          {t('Emails and text messages come in this language too.')}
        </p>
      </div>
      <Loadable
        load={load}
        failure={t('Your language could not be loaded.')}
        skeleton="h-12 w-full sm:w-64"
      >
        {({ language: own }) => <Languages own={own ?? language()} />}
      </Loadable>
    </section>
  );
}

/** Each by its own name. */
const names: Record<Language, string> = { en: 'English', es: 'Español' };

function Languages({ own }: { own: Language }) {
  const [chooseLanguage] = useChooseLanguageMutation();
  const { submit, isBusy, error } = useSubmit<Language>(async (chosen) => {
    await chooseLanguage(chosen).unwrap();
    // The server keeps the choice in this browser too, and answers with the page in that language.
    location.assign(`/${chosen}/account`);
  });
  return (
    <div className="max-sm:w-full">
      <div role="group" aria-label={t('Language')} className="flex flex-wrap gap-2">
        {(['en', 'es'] as const).map((one) => (
          <Button
            key={one}
            variant="secondary"
            className="flex-auto px-4!"
            lang={one}
            aria-pressed={one === own}
            {...(one === own && { icon: 'check' })}
            busy={isBusy}
            onClick={() => void submit(one)}
          >
            {names[one]}
          </Button>
        ))}
      </div>
      {error !== null && (
        <div className="mt-4">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
    </div>
  );
}
