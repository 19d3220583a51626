import type { RequestEventKind } from '@gatehouse/contract/tracked-requests';
import type { ColumnType, Generated } from 'kysely';

export type RequestTables = {
  /** The files that have a row, with their bytes. */
  kept_files: { file_key: string; bytes: number };
  requests: {
    id: Generated<string>;
    reference: Generated<string>;
    facility_id: string;
    tenant_id: string;
    ledger_id: string | null;
    user_id: string | null;
    kind: RequestKind;
    /** JSON text on the way in. */
    details: ColumnType<unknown, string, never>;
    image_id: string | null;
    idempotency_key: string | null;
    request_hash: Buffer | null;
    created_at: Generated<Date>;
    status: Generated<RequestStatus>;
    version: Generated<number>;
  };
  request_events: {
    id: Generated<string>;
    position: Generated<number>;
    request_id: string;
    kind: RequestEventKind;
    status: RequestStatus;
    text: string | null;
    via: 'portal' | 'server' | 'link' | 'cli' | 'office';
    author: string | null;
    form_id: string | null;
    created_at: Date;
  };
  webhook_deliveries: {
    event_id: string;
    begun_at: Date;
    tries: Generated<number>;
    fault: string | null;
    delivered_at: Date | null;
    dead_at: Date | null;
  };
  facility_recipients: {
    id: Generated<string>;
    facility_id: string;
    /** Null for every kind. */
    kind: RequestKind | null;
    address: string;
  };
  images: {
    id: Generated<string>;
    tenant_id: string;
    file_name: string | null;
    content_type: ImageType;
    bytes: number;
    width: number;
    height: number;
    file_key: string;
    created_at: Generated<Date>;
  };
};

/** What a message to staff is about: the spec's form types, and the move-out, which has none. */
export type RequestKind =
  | 'maintenance_request_form'
  | 'insurance_request'
  | 'request_gate_access_form'
  | 'resend_esign_documents_form'
  | 'request_tenant_update'
  | 'autopayCreditCardToAch'
  | 'notifyAchPayment'
  | 'move_out';
/** The state of a message to staff. */
export type RequestStatus = 'new' | 'in_progress' | 'done';
/** What a photo is kept as. */
export type ImageType = 'image/jpeg' | 'image/webp';
