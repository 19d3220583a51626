import {
  alternateContactFields,
  contactFields,
  driversLicenseFields,
} from '@gatehouse/contract/tenant-fields';
import {
  asLongAs,
  LARGEST_SUM,
  may,
  must,
  postingOrder,
  setting,
  type Column,
  type ImportFile,
} from './columns.ts';

const facility = must('facility', 'id', 'Location code of the facility, as TXDFW03', { most: 20 });
const ledger = must('ledger_id', 'id', 'Your id of the rental');

const facilities: ImportFile = {
  name: 'facilities.csv',
  says: 'The storage sites and what they bill. An empty setting is its default.',
  key: [],
  columns: [
    facility,
    must('name', 'text', 'Name, as tenants read it'),
    may('phone', 'phone', 'Phone'),
    may('email', 'email', 'Where messages to staff go'),
    must('street1', 'text', 'Street', { most: 200 }),
    may('street2', 'text', 'Second line of the street', { most: 200 }),
    must('city', 'text', 'City'),
    must('region', 'state', 'State, as TX'),
    must('postal_code', 'zip', 'Zip', { most: 20 }),
    must('time_zone', 'zone', 'Its clock, as America/Chicago'),
    may(
      'billing_kind',
      'text',
      'Recurring: anniversary (default), first_of_month or twenty_eight_days',
      {
        choices: ['anniversary', 'first_of_month', 'twenty_eight_days'],
        otherwise: "'anniversary'",
      },
    ),
    may(
      'payment_order',
      'text',
      'What a payment settles first: oldest_first (default), rent_first or fees_first',
      { choices: ['oldest_first', 'rent_first', 'fees_first'], otherwise: "'oldest_first'" },
    ),
    may('rent_tax1', 'percent', 'First tax on rent, in percent (default 0)', {
      most: 30_00,
      otherwise: '0',
    }),
    may('rent_tax2', 'percent', 'Second tax on rent', { most: 30_00, otherwise: '0' }),
    may('insurance_tax1', 'percent', 'First tax on protection plans', {
      most: 30_00,
      otherwise: '0',
    }),
    may('insurance_tax2', 'percent', 'Second tax on protection plans', {
      most: 30_00,
      otherwise: '0',
    }),
    may('card_fee', 'money', 'Added to each bill while autopay charges a credit card (default 0)', {
      otherwise: '0',
    }),
    may('late_fee', 'money', 'Charged once for rent that stays open (default 0)', {
      otherwise: '0',
    }),
    may('late_fee_after_days', 'count', 'How many days after the due date (default 5)', {
      least: 1,
      most: 365,
      otherwise: '5',
    }),
    may('return_fee', 'money', 'Charged for a bank payment that comes back (default 0)', {
      otherwise: '0',
    }),
    may('deposit', 'money', 'Charged at a move-in and given back at the move-out (default 0)', {
      otherwise: '0',
    }),
    setting('move_out_proration', 'Whether rent of the days after a move-out is given back'),
    may(
      'gate_grace_days',
      'count',
      'How many days after the due date the gate is suspended (default 0)',
      { most: 365, otherwise: '0' },
    ),
    may(
      'gate_least_amount',
      'money',
      'From how much owed on the gate is suspended (default 0.01)',
      { least: 1, into: 'gate_least_cents', otherwise: '1' },
    ),
    setting(
      'gate_waits_for_settlement',
      'Whether the gate waits for bank payments after a lock-out or return',
    ),
    may(
      'least_payment',
      'money',
      'The least part of a unit’s balance that a tenant may pay (default 1.00)',
      { least: 1, into: 'least_payment_cents', otherwise: '100' },
    ),
    setting('pay_once', 'Whether tenants may pay without switching autopay on', true),
    setting('part_payments', 'Whether the portal offers to pay a part of what is owed'),
    setting('pay_ahead', 'Whether the portal offers to pay bills before they are due'),
    may(
      'payment_days_back',
      'count',
      'How many days before a payment over the counter may have come (default 7)',
      { least: 0, most: 31, otherwise: '7' },
    ),
    setting('sends_reminders', 'Whether tenants are reminded by mail of what is due'),
    setting('sends_texts', 'Whether tenants may have reminders by text message'),
    may(
      'rate_notice_days',
      'count',
      'How many days before a rate change its notice is mailed (default 30)',
      { least: 10, most: 365, otherwise: '30' },
    ),
    may('move_out_url', 'address', 'Your own move-out form, an https address'),
  ],
  refers: {},
};

const discountPlans: ImportFile = {
  name: 'discount-plans.csv',
  says: 'What may be taken off a rent: a share or a sum.',
  key: ['discount_plan_id'],
  columns: [
    facility,
    must('discount_plan_id', 'id', 'Your id of the plan'),
    must('name', 'text', 'Name'),
    may('percent', 'percent', 'Share of the rent, in percent', { least: 1, into: 'basis_points' }),
    may('amount', 'money', 'Or a sum off each period', { least: 1 }),
    may('ended_on', 'day', 'Last day; empty while it is offered'),
  ],
  refers: {},
};

const protectionPlans: ImportFile = {
  name: 'protection-plans.csv',
  says: 'The protection plans that the facility sells.',
  key: ['protection_plan_id'],
  columns: [
    facility,
    must('protection_plan_id', 'id', 'Your id of the plan'),
    must('description', 'text', 'Description'),
    must('coverage', 'money', 'What it covers', { least: 1 }),
    must('premium', 'money', 'What a period costs'),
    may('ended_on', 'day', 'Last day; empty while it is sold'),
  ],
  refers: {},
};

const units: ImportFile = {
  name: 'units.csv',
  says: 'The spaces to rent. A unit goes by its number.',
  key: ['unit'],
  columns: [
    facility,
    must('unit', 'id', 'Unit number, as A101', { most: 50 }),
    must('width_feet', 'count', 'Width in whole feet', { least: 1, most: 10_000 }),
    must('length_feet', 'count', 'Length in whole feet', { least: 1, most: 10_000 }),
    must('unit_type', 'text', 'Type, as RV, Boat or Household', { into: 'type_name' }),
  ],
  refers: {},
};

const tenants: ImportFile = {
  name: 'tenants.csv',
  says: 'Persons and firms that rent or have rented. They sign up in the portal themselves, with this email.',
  key: ['tenant_id'],
  columns: [
    facility,
    must('tenant_id', 'id', 'Your id of the tenant'),
    may('company', 'text', 'Of a firm: its name', { most: 200 }),
    must('first_name', 'text', 'First name; of a firm that of its contact, or its own name'),
    may('last_name', 'text', 'Last name; may be empty of a firm', { otherwise: "''" }),
    must('email', 'email', 'Email, with which the tenant signs up', {
      ...asLongAs(contactFields.emailAddress),
      into: null,
    }),
    may(
      'joined',
      'yesNo',
      'Whether one sign-in may see all names that have the email; needed where another has',
      { into: null },
    ),
    may('phone', 'phone', 'Phone'),
    may('street1', 'text', 'Street', { ...asLongAs(contactFields.address1), otherwise: "''" }),
    may('street2', 'text', 'Second line of the street', asLongAs(contactFields.address2)),
    may('city', 'text', 'City', { otherwise: "''" }),
    may('region', 'state', 'State, as TX', { otherwise: "''" }),
    may('postal_code', 'zip', 'Zip', { ...asLongAs(contactFields.postal), otherwise: "''" }),
    may('drivers_license_number', 'text', "Driver's license; kept sealed", {
      ...asLongAs(driversLicenseFields.driversLicenseNumber),
      sealed: 'license',
    }),
    may('drivers_license_state', 'state', 'Its state; both or neither'),
    may('alternate_first_name', 'text', 'Alternate contact; all four or none'),
    may('alternate_last_name', 'text', 'Alternate contact'),
    may('alternate_email', 'email', 'Alternate contact', asLongAs(alternateContactFields.email)),
    may('alternate_phone', 'phone', 'Alternate contact'),
  ],
  refers: {},
};

const ledgers: ImportFile = {
  name: 'ledgers.csv',
  says: 'The rentals, ended ones too: one row a lease.',
  key: ['ledger_id'],
  columns: [
    facility,
    ledger,
    must('tenant_id', 'id', 'Who rents, of tenants.csv'),
    must('unit', 'id', 'What is rented, of units.csv', { most: 50 }),
    must('moved_in_on', 'day', 'Move-in date'),
    may(
      'moved_out_on',
      'day',
      'First day that is not rented, also one that lies ahead; empty where none is set',
    ),
    must('rental_rate', 'money', 'Rent of a period, before discount and taxes'),
    must('paid_through', 'day', 'Last day that paid rent covers'),
    may(
      'next_billing_on',
      'day',
      'Day after the last day that was billed; checked where it is given',
    ),
    may(
      'billing_day',
      'count',
      'Day of the month of the anniversary (default: of the next billing)',
      { least: 1, most: 31 },
    ),
    must('balance', 'money', 'What is owed; below 0 what is to the credit', {
      least: -LARGEST_SUM,
    }),
    may('discount_plan_id', 'id', 'Discount, of discount-plans.csv'),
    may('scheduled_rate', 'money', 'Coming rent; with its day'),
    may('scheduled_rate_on', 'day', 'Day on which it begins'),
    may(
      'gate_schedule',
      'count',
      '0 business hours and no 24-hour request, 1 business hours (default), 2 24 hours',
      { most: 2 },
    ),
    may(
      'taxed',
      'yesNo',
      "Whether the facility's taxes on rent apply (default: where it has some)",
    ),
    may('on_hold', 'yesNo', 'Billed on, but no autopay and no late fee (default no)'),
  ],
  refers: { tenant_id: 'tenant', unit: 'unit', discount_plan_id: 'discount_plan' },
};

const charges: ImportFile = {
  name: 'charges.csv',
  says: 'What was billed: with payments.csv all that makes the balances, at least the open ones.',
  key: ['charge_id'],
  columns: [
    facility,
    must('charge_id', 'id', 'Your id of the charge'),
    ledger,
    must('category', 'text', 'rent, service, insurance, fee or deposit', {
      choices: ['rent', 'service', 'insurance', 'fee', 'deposit'],
    }),
    must('description', 'text', 'As the tenant reads it', { most: 200 }),
    must('due_on', 'day', 'Due date; of rent the first day of its period'),
    may(
      'period_end',
      'day',
      'Last day of the period, of rent and what is billed with it; rent needs it',
    ),
    must('price', 'money', 'Before discount and taxes'),
    may('discount', 'money', 'Discount (default 0)'),
    may('tax1', 'money', 'First tax (default 0)'),
    may('tax2', 'money', 'Second tax (default 0)'),
    may('posted_on', 'day', 'Day of posting (default: the due date)'),
    may(
      'late_for',
      'id',
      'Of a late fee the rent charge that it is for: no second one is charged then',
    ),
    postingOrder('posting_order', 'Place among all entries of the rental, as an export gives it'),
  ],
  refers: { ledger_id: 'ledger', late_for: 'charge' },
};

const payments: ImportFile = {
  name: 'payments.csv',
  says: 'What was paid or credited. What was taken back of it is in the same row.',
  key: ['payment_id'],
  columns: [
    facility,
    must('payment_id', 'id', 'Your id of the payment'),
    ledger,
    may('kind', 'text', 'payment (default), or credit for what is none', {
      choices: ['payment', 'credit'],
    }),
    must('paid_on', 'day', 'Day of posting'),
    must('amount', 'money', 'Amount, above 0', { least: 1 }),
    may('method', 'text', 'creditCard (default), ach, cash, check or moneyOrder', {
      choices: ['creditCard', 'ach', 'cash', 'check', 'moneyOrder'],
    }),
    may(
      'waives',
      'id',
      'Of a credit that takes a charge back, its tax with it: the charge, of charges.csv',
    ),
    may(
      'description',
      'text',
      'As the tenant reads it, as Visa ending in 4242 (default Payment or Credit)',
      { most: 200 },
    ),
    may('receipt_number', 'id', 'Receipt number (default: a new one)', { most: 50 }),
    may('taken_back', 'money', 'What of it was returned, refunded or corrected', { least: 1 }),
    may('taken_back_on', 'day', 'Day of that'),
    may(
      'taken_back_reason',
      'text',
      'return, refund, correction, nsf, chargeback, mistake or moved',
      { choices: ['return', 'refund', 'correction', 'nsf', 'chargeback', 'mistake', 'moved'] },
    ),
    may('taken_back_description', 'text', 'As the tenant reads it', { most: 200 }),
    postingOrder('posting_order', 'Place among all entries of the rental, as an export gives it'),
    postingOrder('taken_back_order', 'The same of what was taken back'),
  ],
  refers: { ledger_id: 'ledger', waives: 'charge' },
};

const insurance: ImportFile = {
  name: 'insurance.csv',
  says: "Protection plans of rentals, and tenants' own policies.",
  key: ['insurance_id'],
  columns: [
    facility,
    must('insurance_id', 'id', 'Your id of this cover'),
    ledger,
    must('kind', 'text', 'plan or private', { choices: ['plan', 'private'] }),
    may('protection_plan_id', 'id', 'Of a plan: which, of protection-plans.csv'),
    may('company', 'text', 'Of a private policy: the company'),
    may('policy_number', 'text', 'Of a private policy: its number'),
    may('coverage', 'money', 'Of a private policy: what it covers', { least: 1 }),
    must('starts_on', 'day', 'First day'),
    may('ends_on', 'day', 'Last day'),
  ],
  refers: { ledger_id: 'ledger', protection_plan_id: 'protection_plan' },
};

const unitContents: ImportFile = {
  name: 'unit-contents.csv',
  says: 'What is stored.',
  key: ['ledger_id'],
  columns: [
    facility,
    ledger,
    must('contents', 'contents', 'vehicle: and the VIN, boat: and the HIN, or none:'),
  ],
  refers: { ledger_id: 'ledger' },
};

const vehicles: ImportFile = {
  name: 'vehicles.csv',
  says: 'The vehicle or boat of unit-contents.csv.',
  key: ['ledger_id'],
  columns: [
    facility,
    ledger,
    must('license_plate', 'text', 'License plate', { most: 50 }),
    must('description', 'text', 'Description', { most: 200 }),
  ],
  refers: { ledger_id: 'ledger' },
};

const furtherVehicles: ImportFile = {
  name: 'further-vehicles.csv',
  says: 'Other vehicles and boats of a rental, five at most; each is found again by its contents.',
  key: ['ledger_id', 'contents'],
  columns: [
    facility,
    ledger,
    must('contents', 'contents', 'vehicle: and the VIN, or boat: and the HIN'),
    must('license_plate', 'text', 'License plate', { most: 50 }),
    must('description', 'text', 'Description', { most: 200 }),
  ],
  refers: { ledger_id: 'ledger' },
};

const gateCodes: ImportFile = {
  name: 'gate-codes.csv',
  says: 'The gate codes of rentals. No two tenants have one code; one tenant may for several rentals.',
  key: ['ledger_id'],
  columns: [
    facility,
    ledger,
    must('access_code', 'gateCode', 'Gate code, 4 letters and digits at least; kept sealed', {
      most: 20,
      sealed: 'gateCode',
    }),
  ],
  refers: { ledger_id: 'ledger' },
};

const documents: ImportFile = {
  name: 'esign-documents.csv',
  says: 'Forms to sign, and their status at the signing service.',
  key: ['document_id'],
  columns: [
    facility,
    must('document_id', 'id', 'Your id of the document'),
    ledger,
    must('form_name', 'text', 'Name of the form'),
    must('envelope_status', 'text', 'Sent (to be signed), Completed, Declined or Expired', {
      choices: ['Sent', 'Completed', 'Declined', 'Expired'],
      into: null,
    }),
  ],
  refers: { ledger_id: 'ledger' },
};

const gatewayTokens: ImportFile = {
  name: 'gateway-tokens.csv',
  says: 'Saved cards and accounts: the token that your payment gateway gave for each, never a number.',
  key: ['payment_method_id'],
  columns: [
    facility,
    must('payment_method_id', 'id', 'Your id of the saved method'),
    must('tenant_id', 'id', 'Whose, of tenants.csv'),
    must('type', 'text', 'creditCard or ach', { choices: ['creditCard', 'ach'], into: null }),
    must('gateway_token', 'text', 'Token at the gateway; kept sealed', {
      most: 255,
      sealed: 'gatewayToken',
    }),
    may('customer', 'text', "The tenant's number at the gateway, where it has one", {
      most: 255,
      into: null,
    }),
    must('brand', 'text', 'Of a card Visa, Master Card …, of an account its type'),
    must('last_four', 'text', 'Last four characters of the number', { most: 4 }),
    may('routing_last_four', 'text', 'Of an account: last four of the routing number', { most: 4 }),
    may('expires_on', 'month', 'Of a card: month of expiry, as 2028-04 or 4/2028'),
    may('holder_name', 'text', 'Name on the card'),
    may('street_address', 'text', 'Billing street', { most: 200 }),
    may('postal_code', 'text', 'Billing zip', { most: 20 }),
    may('funding', 'text', 'credit, debit, prepaid or unknown (default)', {
      choices: ['credit', 'debit', 'prepaid', 'unknown'],
      otherwise: "'unknown'",
    }),
  ],
  refers: { tenant_id: 'tenant' },
};

const autopay: ImportFile = {
  name: 'autopay.csv',
  says: 'Which saved method pays a rental. Nothing is charged without the words that the tenant agreed to.',
  key: ['ledger_id'],
  columns: [
    facility,
    ledger,
    must('payment_method_id', 'id', 'With which, of gateway-tokens.csv'),
    may('active', 'yesNo', 'Whether it is on (default yes)'),
    may('agreed_on', 'day', 'Day on which the tenant agreed'),
    may('consent_version', 'text', 'Your name of this wording'),
    may('consent_text', 'text', 'The words that the tenant agreed to', { most: 10_000 }),
  ],
  refers: { ledger_id: 'ledger', payment_method_id: 'payment_method' },
};

/**
 * The files of a folder, in the order in which they are read; `corporation.csv` is apart, because
 * it has one row.
 */
export const importFiles = {
  facilities,
  discountPlans,
  protectionPlans,
  units,
  tenants,
  ledgers,
  charges,
  payments,
  insurance,
  unitContents,
  vehicles,
  furtherVehicles,
  gateCodes,
  documents,
  gatewayTokens,
  autopay,
} as const satisfies Record<string, ImportFile>;
export type FileName = keyof typeof importFiles;

/** The columns of a file that its table takes as they are, but for what its rows are named by. */
export function columnsAsTheyAre(file: FileName): (Column & { into: string })[] {
  const { key, refers, columns }: ImportFile = importFiles[file];
  return columns.filter(
    (column): column is Column & { into: string } =>
      column.into !== null &&
      ![facility.name, ...key, ...Object.keys(refers)].includes(column.name),
  );
}

/** The operator itself: one row, needed where the database has none yet. */
export const corporationFile: ImportFile = {
  name: 'corporation.csv',
  says: 'The operator: one row, needed for a database that is empty yet.',
  key: [],
  columns: [
    must('code', 'id', 'The CORPORATION_CODE of your settings', { most: 50 }),
    must('name', 'text', 'Name, as tenants read it'),
  ],
  refers: {},
};
