import { useRequester } from '#api/requester.ts';
import { ProviderFields, type ProviderFieldsProps } from './provider-fields.tsx';

type Props = Omit<ProviderFieldsProps, 'payer' | 'isKept'> & { tenantId: string };

/**
 * The provider's own fields for a tenant, whose name and address it is given. A chunk of its own,
 * fetched in a live profile only.
 */
export default function HostedFields({ tenantId, ...props }: Props) {
  const payer = useRequester({ tenantId });
  return <ProviderFields {...props} payer={payer} isKept />;
}
