import type { Generated } from 'kysely';

export type GateTables = {
  /** Digests of the gate codes that were shown in kept sessions. */
  shown_gate_codes: { token_hash: Buffer; ledger_id: string; digest: Buffer };
  /** The access code is sealed. */
  gate_codes: { ledger_id: string; access_code: string };
  /** The access code is sealed. */
  authorized_persons: {
    id: string;
    ledger_id: string;
    facility_id: string;
    name: string;
    phone: string | null;
    access_code: string;
    last_on: string | null;
    ended_at: Date | null;
    by_name: string;
    created_at: Date;
  };
  gate_controllers: {
    facility_id: string;
    sequence: Generated<number>;
    target: string | null;
    is_whole_due: Generated<boolean>;
    next_at: Date;
    leased_until: Date | null;
    failures: Generated<number>;
    synced_at: Date;
  };
  gate_pushes: {
    unit_id: string;
    facility_id: string;
    unit_name: string;
    ledger_id: string;
    gate_schedule_id: number;
    is_suspended: boolean;
    code_digest: Buffer;
    pushed_at: Date;
  };
};
