import type { ReminderKind } from '@gatehouse/contract/reminders';
import type { Language } from '@gatehouse/language/language';
import type { Generated } from 'kysely';
import type { CalendarDate, Cents } from './values.ts';

export type MailTables = {
  mails: {
    id: Generated<string>;
    position: Generated<number>;
    to_address: string;
    subject: string;
    /** Sealed; empty once deleted. `features/base/mail/bodies.ts` opens it. */
    text_body: string;
    html_body: string;
    created_at: Generated<Date>;
    sent_at: Date | null;
    body_until: Generated<Date>;
    paper_kind: 'receipt' | 'statement' | 'document' | null;
    paper_id: string | null;
    kind: string;
    about: Generated<string>;
    tenant_id: string | null;
    /** Sealed. */
    blocks: string | null;
    held_until: Date | null;
    decided_at: Date | null;
    merged_into: string | null;
    /** Not sent, and not to be sent; with `fault`, because it could not be delivered. */
    is_dropped: Generated<boolean>;
    language: Language;
    failing_since: Date | null;
    failing_as: string | null;
    fault: string | null;
  };
  /**
   * What a rental was reminded of, by which mail or text message, or by a mail after its text;
   * `place` is of the facts of one of them.
   */
  reminders: {
    ledger_id: string;
    kind: ReminderKind;
    about_on: CalendarDate;
    reminded_on: CalendarDate;
    amount_cents: Cents;
    mail_id: string | null;
    text_id: string | null;
    place: number;
  };
  /** Text messages; `body` is sealed, and empty once deleted. Phones are E.164 here. */
  texts: {
    id: string;
    position: Generated<number>;
    tenant_id: string;
    to_phone: string;
    kind: TextKind;
    body: string;
    body_until: Date;
    state: Generated<TextState>;
    created_at: Date;
    tried_at: Date | null;
    failing_since: Date | null;
    provider_id: string | null;
    code: string | null;
  };
  text_codes: {
    tenant_id: string;
    user_id: string;
    phone: string;
    code_hash: Buffer;
    tries: Generated<number>;
    consent: string;
    ip: string;
    user_agent: string | null;
    created_at: Date;
  };
  text_consents: {
    id: string;
    tenant_id: string;
    user_id: string;
    phone: string;
    text: string;
    text_hash: Buffer;
    agreed_at: Date;
    confirmed_at: Date;
    ip: string | null;
    user_agent: string | null;
    renews: string | null;
  };
  text_consent_ends: {
    consent_id: string;
    ended_at: Date;
    reason: 'switched_off' | 'stopped' | 'phone_changed' | 'replaced';
    user_id: string | null;
  };
  /** What recipients answered; `body` only of those that stop or start. */
  text_replies: {
    id: string;
    position: Generated<number>;
    from_phone: string;
    word: 'stop' | 'start' | 'help' | 'other';
    body: string | null;
    received_at: Date;
  };
  reminder_stops: { tenant_id: string; kind: ReminderKind; stopped_at: Date };
};

/** A code for a number, what is said once it is confirmed, and a reminder. */
export type TextKind = 'code' | 'welcome' | 'reminder';
/**
 * The state of a text message. `sending`: the provider was called and has not answered; `unknown`:
 * nor will it be known; `sent`: it took it.
 */
export type TextState =
  | 'waiting'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'refused'
  | 'unknown'
  | 'dropped';
