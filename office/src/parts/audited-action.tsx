import type { AuditRow } from '@gatehouse/contract/office/audit';
import { auditActions, auditKinds } from '@gatehouse/contract/office/audit-actions';
import { useRecordContext } from 'react-admin';

const labels: Record<string, string> = { ...auditKinds, ...auditActions };

/** What was done, in words; as its code where this version does not know it. */
export function AuditedAction() {
  const event = useRecordContext<AuditRow>();
  if (!event) return null;
  const code = event.details['verb'] ?? event.kind;
  return <span>{labels[code] ?? code}</span>;
}
