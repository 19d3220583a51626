import { formatDate } from '@gatehouse/contract/dates';
import {
  type PaperKind,
  paperKinds,
  type PaperStanding,
  type RentalPapers,
  type VehiclePaper,
  type VehicleWithPapers,
} from '@gatehouse/contract/vehicle-papers';
import { MOST_VEHICLES } from '@gatehouse/contract/vehicles';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useListLedgersQuery } from '#api/ledgers.ts';
import { useSubmit } from '#api/use-submit.ts';
import {
  fetchVehiclePaper,
  type PaperPlace,
  useListVehiclePapersQuery,
  useRemoveVehiclePaperMutation,
} from '#api/vehicle-papers.ts';
import { useRemoveVehicleMutation } from '#api/vehicles.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { Chip, type ChipTone } from '#ui/chip.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormDialog, FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { saveFile } from '#ui/save-file.ts';
import { ContentsAction, contentsForm } from './contents-action.tsx';

const paperForm = lazyPart(() => import('./paper-form.tsx'));
const removeForm = lazyPart(() => import('./remove-form.tsx'));

/** The vehicles and boats of a tenant record, with registration and insurance of each. */
export function PapersCard({ tenantId }: { tenantId: string }) {
  const load = useListVehiclePapersQuery(tenantId);
  return (
    <OpenCard
      id="papers"
      title={t('Vehicle and Vessel Papers')}
      summary={load.data && <Summary rentals={load.data} />}
      isWanting={load.error !== undefined || load.data?.flatMap(vehiclesOf).some(isHalfDone)}
      description={t(
        'Registration and insurance of what you store. We remind you 60, 30 and 7 days before one expires.',
      )}
    >
      <Loadable load={load} failure={t('Your papers could not be loaded.')} skeleton="h-40 w-full">
        {(rentals) => (
          <Vehicles tenantId={tenantId} rentals={rentals} onChanged={() => void load.refetch()} />
        )}
      </Loadable>
    </OpenCard>
  );
}

const kinds = Object.keys(paperKinds) as PaperKind[];

/** The first of a rental before the others. */
function vehiclesOf({ first, further }: RentalPapers): VehicleWithPapers[] {
  return first === null ? further : [first, ...further];
}

/** One of the two papers is on file, or one has to be renewed: that is what the tenant came for. */
function isHalfDone({ papers }: VehicleWithPapers): boolean {
  return papers.length === 1 || papers.some(({ standing }) => standing !== 'valid');
}

function Summary({ rentals }: { rentals: RentalPapers[] }) {
  const papers = rentals.flatMap(vehiclesOf).flatMap((vehicle) => vehicle.papers);
  const worst = (['expired', 'soon'] as const).find((one) =>
    papers.some(({ standing }) => standing === one),
  );
  if (worst) return <Chip tone={standings[worst].tone}>{standings[worst].word}</Chip>;
  return (
    <span>{papers.length === 0 ? t('None on file') : t('{n} on file', { n: papers.length })}</span>
  );
}

type VehiclesProps = { tenantId: string; rentals: RentalPapers[]; onChanged: () => void };

function Vehicles({ tenantId, rentals, onChanged }: VehiclesProps) {
  const shown = rentals.flatMap((rental) =>
    vehiclesOf(rental).map((vehicle) => ({ rental, vehicle })),
  );
  const [leaving, setLeaving] = useState<(typeof shown)[number] | null>(null);
  const open = rentals.filter((rental) => vehiclesOf(rental).length < MOST_VEHICLES);
  return (
    <div className="flex flex-col gap-4">
      {shown.length === 0 && (
        <EmptyState>{t('None of your units has a vehicle or a boat in it.')}</EmptyState>
      )}
      <ul className="-mt-4 divide-y divide-line">
        {shown.map(({ rental, vehicle }) => (
          <li key={vehicle.vehicleId ?? rental.ledgerId} className="py-4">
            <Vehicle
              tenantId={tenantId}
              rental={rental}
              vehicle={vehicle}
              onChanged={onChanged}
              onRemove={() => setLeaving({ rental, vehicle })}
            />
          </li>
        ))}
      </ul>
      {open.length > 0 && (
        <FormDialogButton
          label={t('Add a vehicle or boat')}
          about=""
          variant="secondary"
          className="self-start"
          title={t('Add a Vehicle or Boat')}
          description={t('One that is in a unit besides what is listed here.')}
          form={contentsForm}
          formProps={{ tenantId, rentals: open, vehicle: null, onSaved: onChanged }}
        />
      )}
      <DialogPlace>
        {leaving && (
          <Removal
            {...leaving}
            tenantId={tenantId}
            onChanged={onChanged}
            onClose={() => setLeaving(null)}
          />
        )}
      </DialogPlace>
    </div>
  );
}

type VehicleProps = {
  tenantId: string;
  rental: RentalPapers;
  vehicle: VehicleWithPapers;
  onChanged: () => void;
  onRemove: () => void;
};

/** A vehicle or boat with its papers; without a description it is called by its unit. */
function Vehicle(props: VehicleProps) {
  const { tenantId, rental, vehicle, onChanged } = props;
  const { ledgerId, unitName } = rental;
  const { description, licensePlate, papers } = vehicle;
  const vehicleId = vehicle.vehicleId ?? undefined;
  const isNamed = vehiclesOf(rental).length > 1 && description !== '';
  return (
    <section>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-0">
          <h3 className="font-semibold wrap-anywhere">{description || unitName}</h3>
          {description !== '' && (
            <p className="text-15 wrap-anywhere text-muted">
              {[t('Unit {unit}', { unit: unitName }), licensePlate]
                .filter(Boolean)
                .join('\u00a0·\u00a0')}
            </p>
          )}
        </div>
        <VehicleActions {...props} />
      </div>
      <ul className="mt-1 divide-y divide-line">
        {kinds.map((kind) => (
          <li key={kind} className="py-2">
            <Paper
              place={{ tenantId, ledgerId, vehicleId }}
              kind={kind}
              name={isNamed ? description : unitName}
              of={isNamed ? description : t('unit {unit}', { unit: unitName })}
              onChanged={onChanged}
              paper={papers.find((one) => one.kind === kind)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The first is changed as what its unit has in it, which may be household items too. */
function VehicleActions({ tenantId, rental, vehicle, onChanged, onRemove }: VehicleProps) {
  const { ledgerId, unitName, first } = rental;
  const { contents, description } = vehicle;
  const { data: ledgers } = useListLedgersQuery([tenantId]);
  const ledger = ledgers?.find(({ id }) => id === ledgerId);
  const about = description || unitName;
  const mayRemove = vehicle.vehicleId !== null && contents !== '';
  return (
    // The action of a first one has its own margins.
    <div
      className={`ml-auto flex flex-wrap items-center ${vehicle === first ? 'gap-x-3' : ''} ${mayRemove ? '-mr-3' : ''}`}
    >
      {vehicle === first ? (
        ledger && (
          <ContentsAction
            ledger={ledger}
            contents={contents}
            enter={t('Enter what is stored')}
            onSaved={onChanged}
          />
        )
      ) : (
        <FormDialogButton
          label={t('Update')}
          about={about}
          title={t('Vehicle or Boat')}
          description={t('What is stored in unit {unit}.', { unit: unitName })}
          form={contentsForm}
          formProps={{ tenantId, rentals: [rental], vehicle, onSaved: onChanged }}
        />
      )}
      {mayRemove && (
        <OpenButton
          label={t('Remove')}
          about={about}
          fetchAhead={removeForm.fetchAhead}
          onOpen={onRemove}
        />
      )}
    </div>
  );
}

type RemovalProps = Omit<VehicleProps, 'onRemove'> & { onClose: () => void };

/** Outlasts the vehicle in the list, to say that it is gone. */
function Removal({ tenantId, rental, vehicle, onChanged, onClose }: RemovalProps) {
  const { ledgerId, unitName } = rental;
  const name = vehicle.description || unitName;
  const [removeVehicle] = useRemoveVehicleMutation();
  return (
    <FormDialog
      title={t('Remove vehicle or boat')}
      description={t('{vehicle}, unit {unit}', { vehicle: name, unit: unitName })}
      form={removeForm}
      formProps={{
        sentences: [
          t('Its registration and insurance on file are deleted with it.'),
          ...(vehiclesOf(rental).length > 1
            ? []
            : [t('Unit {unit} is then listed with household items only.', { unit: unitName })]),
        ],
        done: t('{vehicle} is removed.', { vehicle: name }),
        remove: () => removeVehicle({ tenantId, ledgerId, vehicleId: vehicle.vehicleId! }).unwrap(),
        onRemoved: onChanged,
      }}
      onClose={onClose}
    />
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
  /** What its buttons say that it is of, and what its sentences do. */
  name: string;
  of: string;
  paper: VehiclePaper | undefined;
  onChanged: () => void;
};

function Paper({ place, kind, name, of, paper, onChanged }: PaperProps) {
  const [opened, setOpened] = useState<'file' | 'remove' | null>(null);
  const [removeVehiclePaper] = useRemoveVehiclePaperMutation();
  const isRegistration = kind === 'registration';
  const title = t('{paper}, {of}', { paper: paperKinds[kind](), of });
  const about = isRegistration
    ? t('registration for {unit}', { unit: name })
    : t('insurance for {unit}', { unit: name });
  const standing = paper && standings[paper.standing];
  return (
    <section>
      <div className={`flex flex-wrap items-start justify-between gap-x-4 ${paper ? '' : '-my-1'}`}>
        <div className="min-w-0 flex-1">
          <h4 className="font-medium">{paperKinds[kind]()}</h4>
          <p className="dots text-15 text-muted tabular-nums">
            {paper && standing ? (
              <>
                <span>{lastDay(paper)}</span>{' '}
                <span className="whitespace-nowrap">
                  {t('No. {number}', { number: paper.number })}
                </span>
              </>
            ) : (
              <span>{t('None on file')}</span>
            )}
          </p>
        </div>
        {standing && <Chip tone={standing.tone}>{standing.word}</Chip>}
        <div className={`flex flex-wrap items-center ${paper ? '-mx-3 -mb-2 basis-full' : ''}`}>
          <OpenButton
            label={paper ? t('Replace') : t('Add')}
            about={about}
            variant={paper ? 'quiet' : 'soft'}
            fetchAhead={paperForm.fetchAhead}
            onOpen={() => setOpened('file')}
          />
          {paper && (
            <>
              <DownloadButton place={place} kind={kind} about={about} />
              <OpenButton
                label={t('Remove')}
                about={about}
                fetchAhead={removeForm.fetchAhead}
                onOpen={() => setOpened('remove')}
              />
            </>
          )}
        </div>
      </div>
      <DialogPlace>
        {opened === 'file' && (
          <FormDialog
            title={title}
            description={t('A photo or a PDF of the paper, with its number and its last day.')}
            form={paperForm}
            formProps={{ ...place, kind, of, onFiled: onChanged }}
            onClose={() => setOpened(null)}
          />
        )}
        {opened === 'remove' && (
          <FormDialog
            title={isRegistration ? t('Remove registration') : t('Remove insurance')}
            description={t('It is of {of}.', { of })}
            form={removeForm}
            formProps={{
              sentences: [
                t(
                  'The file, its number and its date are deleted. You can file it again at any time.',
                ),
              ],
              done: isRegistration
                ? t('The registration for {of} is removed.', { of })
                : t('The insurance for {of} is removed.', { of }),
              remove: () => removeVehiclePaper({ ...place, kind }).unwrap(),
              onRemoved: onChanged,
            }}
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
