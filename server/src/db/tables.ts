import type { Selectable } from 'kysely';
import type { OperatorTables } from './tables/operator.ts';
import type { PeopleTables } from './tables/people.ts';
import type { RentalTables } from './tables/rentals.ts';
import type { GateTables } from './tables/gates.ts';
import type { RequestTables } from './tables/requests.ts';
import type { MailTables } from './tables/mail.ts';
import type { BookTables } from './tables/books.ts';
import type { PaymentTables } from './tables/payments.ts';
import type { OfficeTables } from './tables/office.ts';
import type { RecordTables } from './tables/records.ts';
import type { SandboxGatewayTables } from './tables/sandbox-gateway.ts';

export type { BillingKind, PaymentOrder } from './tables/operator.ts';
export type { TenantPart } from './tables/people.ts';
export type { FinalSums } from './tables/rentals.ts';
export type { ImageType, RequestKind, RequestStatus } from './tables/requests.ts';
export type { TextKind, TextState } from './tables/mail.ts';
export type { ChargeCategory, ReversalReason, TakenBackReason } from './tables/books.ts';
export type {
  CounterType,
  DifferenceClass,
  Funding,
  GateWaitsFor,
  IntentState,
  MandateEnd,
  MethodType,
} from './tables/payments.ts';
export type { Letter, StaffRole } from './tables/office.ts';

/** The tables that the server reads and writes, as the migrations made them. */
export type Tables = OperatorTables &
  PeopleTables &
  RentalTables &
  GateTables &
  RequestTables &
  MailTables &
  BookTables &
  PaymentTables &
  OfficeTables &
  RecordTables &
  SandboxGatewayTables;

export type FacilityRow = Selectable<Tables['facilities']>;
