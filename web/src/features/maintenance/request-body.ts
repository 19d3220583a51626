import type { Ledger } from '@gatehouse/contract/ledgers';
import type { IssueType, MaintenanceRequestParams } from '@gatehouse/contract/maintenance';
import { formTypes } from '@gatehouse/contract/requests';
import type { Photo } from '#api/photo.ts';

/** The form's fields, checked. */
export type MaintenanceValues = {
  ledgerId: string;
  issueType: IssueType;
  issueDescription: string;
};

/** Who asks: copies of what the server knows. */
export type Requester = Pick<
  MaintenanceRequestParams,
  'tenantId' | 'unitName' | 'facilityName' | 'firstName' | 'lastName' | 'emailAddress'
>;

/** maintenanceRequestParams of the specification. */
export function requestBody(
  { ledgerId, issueType, issueDescription }: MaintenanceValues,
  ledger: Pick<Ledger, 'tenantId' | 'unitName'>,
  requester: Requester,
  photo: Photo | null,
): MaintenanceRequestParams {
  return {
    ...requester,
    formType: formTypes.maintenance,
    ledgerId,
    issueType,
    issueDescription,
    tenantId: ledger.tenantId,
    unitName: ledger.unitName,
    ...photo,
  };
}
