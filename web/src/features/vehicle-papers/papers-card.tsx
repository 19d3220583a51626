import { formatDate } from '@gatehouse/contract/dates';
import {
  type PaperKind,
  paperKinds,
  type PaperStanding,
  type RentalPapers,
  type VehiclePaper,
} from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useListLedgersQuery } from '#api/ledgers.ts';
import { useSubmit } from '#api/use-submit.ts';
import {
  fetchVehiclePaper,
  type PaperPlace,
  useListVehiclePapersQuery,
} from '#api/vehicle-papers.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { Chip, type ChipTone } from '#ui/chip.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { saveFile } from '#ui/save-file.ts';

const forms = {
  file: lazyPart(() => import('./paper-form.tsx')),
  remove: lazyPart(() => import('./remove-paper-form.tsx')),
};

/** Registration and insurance of what a tenant record stores. */
export function PapersCard({ tenantId }: { tenantId: string }) {
  const load = useListVehiclePapersQuery(tenantId);
  return (
    <OpenCard
      id="papers"
      title={t('Vehicle and Vessel Papers')}
      summary={load.data && <Summary rentals={load.data} />}
      isWanting={load.error !== undefined || load.data?.some(isHalfDone)}
      description={t(
        'Registration and insurance of what you store. We remind you 60, 30 and 7 days before one expires.',
      )}
    >
      <Loadable load={load} failure={t('Your papers could not be loaded.')} skeleton="h-40 w-full">
        {(rentals) => (
          <Papers tenantId={tenantId} rentals={rentals} onChanged={() => void load.refetch()} />
        )}
      </Loadable>
    </OpenCard>
  );
}

const kinds = Object.keys(paperKinds) as PaperKind[];

/** One of the two papers is on file, or one has to be renewed: that is what the tenant came for. */
function isHalfDone({ papers }: RentalPapers): boolean {
  return papers.length === 1 || papers.some(({ standing }) => standing !== 'valid');
}

function Summary({ rentals }: { rentals: RentalPapers[] }) {
  const papers = rentals.flatMap((rental) => rental.papers);
  const worst = (['expired', 'soon'] as const).find((one) =>
    papers.some(({ standing }) => standing === one),
  );
  if (worst) return <Chip tone={standings[worst].tone}>{standings[worst].word}</Chip>;
  return (
    <span>{papers.length === 0 ? t('None on file') : t('{n} on file', { n: papers.length })}</span>
  );
}

type PapersProps = { tenantId: string; rentals: RentalPapers[]; onChanged: () => void };

function Papers({ tenantId, rentals, onChanged }: PapersProps) {
  const { data: ledgers } = useListLedgersQuery([tenantId]);
  /** What is stored, in the tenant's own words. */
  const nameOf = (ledgerId: string) =>
    ledgers?.find(({ id }) => id === ledgerId)?.vehicle?.description || undefined;
  // Household items have no papers.
  const shown = rentals.filter(({ stored, papers }) => stored !== 'none' || papers.length > 0);
  if (shown.length === 0)
    return <EmptyState>{t('None of your units has a vehicle or a boat in it.')}</EmptyState>;
  return (
    <ul className="-my-4 divide-y divide-line">
      {shown.map(({ ledgerId, unitName, papers }) => (
        <li key={ledgerId} className="py-4">
          <h3 className="font-semibold wrap-anywhere">{nameOf(ledgerId) ?? unitName}</h3>
          {nameOf(ledgerId) !== undefined && (
            <p className="text-15 text-muted">{t('Unit {unit}', { unit: unitName })}</p>
          )}
          <ul className="mt-1 divide-y divide-line">
            {kinds.map((kind) => (
              <li key={kind} className="py-2">
                <Paper
                  place={{ tenantId, ledgerId }}
                  kind={kind}
                  unitName={unitName}
                  onChanged={onChanged}
                  paper={papers.find((one) => one.kind === kind)}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const standings: Record<PaperStanding, { tone: ChipTone; word: string }> = {
  valid: { tone: 'good', word: t('Valid') },
  soon: { tone: 'warn', word: t('Expires soon') },
  expired: { tone: 'bad', word: t('Expired') },
};

type PaperProps = {
  place: PaperPlace;
  kind: PaperKind;
  unitName: string;
  paper: VehiclePaper | undefined;
  onChanged: () => void;
};

function Paper({ place, kind, unitName, paper, onChanged }: PaperProps) {
  const [opened, setOpened] = useState<keyof typeof forms | null>(null);
  const isRegistration = kind === 'registration';
  const title = t('{paper}, unit {unit}', { paper: paperKinds[kind](), unit: unitName });
  const about = isRegistration
    ? t('registration for {unit}', { unit: unitName })
    : t('insurance for {unit}', { unit: unitName });
  const standing = paper && standings[paper.standing];
  return (
    <section>
      <div className={`flex flex-wrap items-start justify-between gap-x-4 ${paper ? '' : '-my-1'}`}>
        <div className="min-w-0 flex-1">
          <h4 className="font-medium">{paperKinds[kind]()}</h4>
          <p className="text-15 text-muted tabular-nums">
            {paper && standing ? (
              <>
                <span>{`${lastDay(paper)} · `}</span>
                <span className="whitespace-nowrap">
                  {t('No. {number}', { number: paper.number })}
                </span>
              </>
            ) : (
              t('None on file')
            )}
          </p>
        </div>
        {standing && <Chip tone={standing.tone}>{standing.word}</Chip>}
        <div className={`-mx-3 flex flex-wrap items-center ${paper ? '-mb-2 basis-full' : ''}`}>
          <OpenButton
            label={paper ? t('Replace') : t('Add')}
            about={about}
            fetchAhead={forms.file.fetchAhead}
            onOpen={() => setOpened('file')}
          />
          {paper && (
            <>
              <DownloadButton place={place} kind={kind} about={about} />
              <OpenButton
                label={t('Remove')}
                about={about}
                fetchAhead={forms.remove.fetchAhead}
                onOpen={() => setOpened('remove')}
              />
            </>
          )}
        </div>
      </div>
      <DialogPlace>
        {opened && (
          <FormDialog
            title={
              opened === 'file'
                ? title
                : isRegistration
                  ? t('Remove registration')
                  : t('Remove insurance')
            }
            description={
              opened === 'file'
                ? t('A photo or a PDF of the paper, with its number and its last day.')
                : t('Of what is stored in unit {unit}.', { unit: unitName })
            }
            form={forms[opened]}
            formProps={{ ...place, kind, unitName, onFiled: onChanged }}
            onClose={() => setOpened(null)}
          />
        )}
      </DialogPlace>
    </section>
  );
}

/** Its last day, as valid until then or as expired. */
function lastDay({ standing, expiresOn }: VehiclePaper): string {
  const date = formatDate(expiresOn);
  return standing === 'expired'
    ? t('Expired on {date}', { date })
    : t('Valid until {date}', { date });
}

type DownloadProps = { place: PaperPlace; kind: PaperKind; about: string };

/** Saves the file on the device; it is never shown here. */
function DownloadButton({ place, kind, about }: DownloadProps) {
  const { submit, isBusy, error } = useSubmit<object>(async () =>
    saveFile(await fetchVehiclePaper(place, kind)),
  );
  return (
    <>
      <Button variant="quiet" busy={isBusy} onClick={() => void submit({})}>
        <span>
          {t('Download')}
          <span className="sr-only"> {about}</span>
        </span>
      </Button>
      {error !== null && (
        <div className="order-last w-full px-3">
          <Failure isBusy={isBusy}>{error}</Failure>
        </div>
      )}
    </>
  );
}
