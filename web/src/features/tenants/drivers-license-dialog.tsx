import { t } from '@gatehouse/language/t';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

type Props = { tenantId: string };

const form = lazyPart(() => import('./drivers-license-form.tsx'));

export const fetchDriversLicenseForm = form.fetchAhead;

/** Adds a driver's license where there is none. */
export function DriversLicenseDialog({ onClose, ...props }: Props & { onClose: () => void }) {
  return (
    <FormDialog
      title={t("Add driver's license")}
      description={t(
        'Please check it carefully. Once it is saved, only the facility can change it.',
      )}
      onClose={onClose}
      form={form}
      formProps={props}
    />
  );
}
