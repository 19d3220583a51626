import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { buttonClass } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Icon } from '#ui/icons.tsx';

/** Of a tenant who rents nothing: the sentence, and whom to call. */
export default function NoRentals() {
  const phone = useGetFacilityQuery().data?.phone;
  return (
    <EmptyState
      action={
        phone && (
          <a href={phoneHref(phone)} className={buttonClass('secondary')}>
            <Icon name="phone" />
            <span>{t('Call {phone}', { phone: formatPhone(phone) })}</span>
          </a>
        )
      }
    >
      {t('You are not currently renting any units')}
    </EmptyState>
  );
}
