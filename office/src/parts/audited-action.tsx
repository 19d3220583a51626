import type { AuditRow } from '@gatehouse/contract/office/audit';
import { auditActions, auditKinds } from '@gatehouse/contract/office/audit-actions';
import { useRecordContext } from 'react-admin';

const labels: Record<string, string> = { ...auditKinds, ...auditActions };

/** What was done, in words; what an earlier version wrote and this one does not know as its code. */
export function AuditedAction() {
  const event = useRecordContext<AuditRow>();
  if (!event) return null;
  const code = event.details['verb'] ?? event.kind;
  return <>{labels[code] ?? code}</>;
}
