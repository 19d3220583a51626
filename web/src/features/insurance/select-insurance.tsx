import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { formatDate } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { type Resolver, useForm, useWatch } from 'react-hook-form';
import { ChoiceField } from '#ui/choice-field.tsx';
import { DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { ActivePlan } from './active-plan.tsx';
import {
  type Chosen,
  filledForm,
  type InsuranceForm,
  insuranceSchema,
  PRIVATE_INSURANCE,
} from './insurance-form.ts';
import { PrivateInsuranceFields } from './private-insurance-fields.tsx';

type Props = FormDialogProps & {
  facility: Facility;
  plans: InsuranceCoverage[];
  insurance: InsuranceStatus | null;
  /** The facility's. */
  today: string;
  isBusy: boolean;
  error: string | null;
  onSubmit: (chosen: Chosen) => Promise<void>;
};

/** The state `select`: a protection plan, or private insurance with its proof. */
export function SelectInsurance({ facility, plans, insurance, today, onSubmit, ...shell }: Props) {
  const hasPlan = insurance?.activeInsurance === true;
  const offered = hasPlan ? plans.filter(({ id }) => id !== insurance.coverageId) : plans;
  const form = useForm<InsuranceForm, unknown, Chosen>({
    defaultValues: filledForm(insurance),
    mode: 'onTouched',
    resolver: resolverOf(today),
  });
  const choice = useWatch({ control: form.control, name: 'choice' });
  return (
    <DialogForm
      submitLabel={submitLabel(choice, hasPlan)}
      onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
      {...shell}
    >
      {insurance?.refused && (
        <p className="wrap-anywhere">
          {t('Your proof of {company} was refused: {reason}', {
            company: insurance.refused.company,
            reason: insurance.refused.reason,
          })}
        </p>
      )}
      {hasPlan && <ActivePlan insurance={insurance} plans={plans} facility={facility} />}
      <ChoiceField
        legend={hasPlan ? t('Change to') : t('Protection Plan or Private Insurance')}
        options={[
          ...offered.map(({ id, description, coverage, premium }) => ({
            value: id,
            label: description,
            hint: t('{coverage} coverage, {premium} a month', {
              coverage: formatMoney(coverage),
              premium: formatMoney(premium),
            }),
          })),
          {
            value: PRIVATE_INSURANCE,
            label: t('Private insurance'),
            hint: t('Proof of a policy of your own'),
          },
        ]}
        error={form.formState.errors.choice?.message}
        defaultValue={choice}
        {...form.register('choice')}
      />
      {choice === PRIVATE_INSURANCE && <PrivateInsuranceFields form={form} today={today} />}
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        {t('Coverage start')} <span className="tabular-nums">{formatDate(today)}</span>
      </p>
    </DialogForm>
  );
}

function resolverOf(today: string): Resolver<InsuranceForm, unknown, Chosen> {
  return (values, context, options) =>
    standardSchemaResolver(insuranceSchema(values.choice, today))(values, context, options);
}

function submitLabel(choice: string, hasPlan: boolean): string {
  if (choice === PRIVATE_INSURANCE) return t('Submit proof');
  return hasPlan ? t('Request change') : t('Add plan');
}
