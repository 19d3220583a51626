import type { Generated } from 'kysely';
import type { Funding } from './payments.ts';
import type { Cents } from './values.ts';

export type SandboxGatewayTables = {
  'sandbox_gateway.gate_units': {
    facility: string;
    unit_id: string;
    unit_name: string;
    gate_schedule_id: number;
    is_suspended: boolean;
    code_digest: Buffer;
    sequence: number;
  };
  'sandbox_gateway.methods': {
    token: string;
    type: string;
    last_four: string;
    behaviour: string;
    funding: Generated<Funding>;
    fingerprint: string | null;
  };
  'sandbox_gateway.refunds': {
    reference: string;
    charge_reference: string;
    amount_cents: Cents;
    created_at: Generated<Date>;
    is_outside: Generated<boolean>;
    outcome: Generated<'succeeded' | 'failed'>;
  };
  'sandbox_gateway.disputes': {
    id: string;
    charge_reference: string;
    amount_cents: Cents;
    standing: 'inquiry' | 'opened' | 'won' | 'lost';
    evidence_due_at: Date | null;
    created_at: Date;
  };
  'sandbox_gateway.charges': {
    reference: string;
    amount_cents: Cents;
    type: string;
    last_four: string;
    outcome: 'captured' | 'accepted' | 'declined' | 'voided';
    decline_message: string | null;
    created_at: Generated<Date>;
    return_code: string | null;
  };
};
