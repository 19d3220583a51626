/** What a column of a lease sheet may hold, and under which headings it is exported. */
export type SheetField = keyof typeof headings;

/**
 * The usual headings of a lease sheet, by what they hold: those of the public documentation of
 * SiteLink, storEDGE, Easy Storage Solutions, 6Storage and Storeganise, and of spreadsheets kept by
 * hand. Compared without case, spaces and marks: `Paid-Thru Date` is `paidthrudate`.
 */
export const headings = {
  facility:
    'Facility; Facility Code; Facility Name; Site; Site Code; Site Name; Location; Location Code; Store; Store Number; Property',
  unit: 'Unit; Unit #; Unit No; Unit Number; Unit Name; Unit ID; Space; Space #; Space Number; Space No; Stall; Slot; Bay; Lot #; Locker; Rented Unit; Parking Space',
  unit_type:
    'Unit Type; Type; Space Type; Unit Group; Storage Type; Unit Category; Type Name; Unit Class',
  size: 'Size; Unit Size; Dimensions; Unit Dimensions; Space Size; W x L; Dims; Area; Width x Length; Unit Area',
  width: 'Width; Unit Width; Width (ft); Width Feet',
  length: 'Length; Depth; Unit Length; Unit Depth; Length (ft); Length Feet',
  tenant_id:
    'Tenant ID; TenantID; Customer ID; Customer Number; Customer #; Account; Account #; Account Number; Account No; Tenant #; Tenant Number; User ID; Client ID',
  ledger_id:
    'Ledger ID; LedgerID; Lease ID; Lease #; Lease Number; Lease No; Rental ID; Contract #; Contract Number; Agreement #; Rental Agreement; Agreement Number',
  name: 'Tenant; Tenant Name; Name; Customer; Customer Name; Full Name; Renter; Renter Name; Lessee; Occupant; Occupied By; Primary Contact; Tenant Full Name; Account Name',
  first_name:
    'First; First Name; FName; Given Name; Tenant First Name; First Nm; Firstname; Customer First Name',
  last_name:
    'Last; Last Name; LName; Surname; Family Name; Tenant Last Name; Lastname; Customer Last Name',
  company:
    'Company; Company Name; Business; Business Name; Firm; Organization; Employer Company; Tenant Company',
  is_firm:
    'Is Business; Business Account; Commercial; Is Company; Type of Tenant; Tenant Type; Customer Type; Business or Personal',
  email:
    'Email; E-mail; Email Address; E-mail Address; Mail; Tenant Email; Primary Email; Customer Email; Email 1; EMail Addr',
  phone:
    'Phone; Phone #; Phone Number; Cell; Cell Phone; Mobile; Mobile Phone; Primary Phone; Telephone; Tel; Tenant Phone; Tenant Phone Number 1; Phone 1; Contact Number',
  other_phone:
    'Home Phone; Work Phone; Phone 2; Alt Phone; Alternate Phone; Home; Work; Secondary Phone; Day Phone; Evening Phone',
  street1:
    'Address; Address 1; Address1; Addr1; Street; Street Address; Mailing Address; Address Line 1; Tenant Address; Addr; Billing Address',
  street2: 'Address 2; Address2; Addr2; Apt; Suite; Address Line 2; Apt/Suite; Street 2',
  city: 'City; Town; Tenant City; Mailing City; City Name',
  region: 'State; St; Region; Province; State/Province; Tenant State; Mailing State; State Code',
  postal_code:
    'Zip; ZIP Code; Zipcode; Postal Code; Postal; Post Code; Zip/Postal; Tenant Zip; Mailing Zip',
  moved_in_on:
    'Move In; Move-In; Move In Date; Move-In Date; MoveIn; Moved In; Moved In Date; Start; Start Date; Lease Start; Lease Date; Lease Start Date; Rent Start; Date In; Rental Start; Begin Date; Commencement; Occupied Since',
  moved_out_on:
    'Move Out; Move-Out; Move Out Date; Move-Out Date; MoveOut; Moved Out; End; End Date; Lease End; Vacate Date; Date Out; Scheduled Move Out; Scheduled Out',
  paid_through:
    'Paid Thru; Paid-Thru; Paid Through; Paid-Through; Paid Thru Date; Paid-Through Date; Paid Through Date; PTD; PaidThru; Paid To; Paid To Date; Rent Paid Through; Rent Paid Thru; Paid Until; Paid Up To',
  next_billing_on:
    'Next Billing Date; Next Bill; Next Bill Date; Next Due; Next Due Date; Due Date; Next Invoice; Next Invoice Date; Bill Date; Unpaid Rent Start Date; Next Rent Due',
  billing_day:
    'Anniv Day; Anniversary Day; Anniversary; Billing Day; Bill Day; Due Day; Day Due; Invoice Day; Rent Due Day',
  rental_rate:
    'Rent; Rent Rate; Rate; Monthly Rate; Monthly Rent; Rental Rate; Current Rate; Current Rent; Actual Rate; Actual Rent; Tenant Rate; Lease Rate; Storage Price Per Period; Price; Rent Amount; Rent/Month; Rent Amt; Contract Rate; Charge Rate',
  street_rate:
    'Std Rate; Standard Rate; Street Rate; Market Rate; Asking Rate; Web Rate; Push Rate; Board Rate; List Price',
  balance:
    'Balance; Balance Due; Total Due; Total Balance; Amount Due; Amt Due; Owes; Owed; Current Balance; Outstanding; Outstanding Balance; Total Owed; Ending Balance; Past Due; Past Due Balance; Total Past Due; Ledger Balance; Bal; A/R; AR Balance',
  rent_due: 'Rent Due; Rent Balance; Unpaid Rent; Rent Owed',
  fees_due:
    'Fees Due; Fee Balance; Late Fees; Late Fee Balance; Late Fees Due; Late Charges; Fees; Fees Owed',
  insurance_due: 'Insurance Due; Insurance Balance; Protection Due; Unpaid Insurance',
  other_due: 'Other Due; Other Balance; Misc Due; Tax Due; Other Charges; Misc Balance; POS Due',
  prepaid:
    'Prepaid; Prepayment; Prepayments; Prepaid Rent; Prepayment Balance; Credit Balance; Credits; Unapplied Credit',
  access_code:
    'Gate Code; Access Code; Gate PIN; Keypad Code; Entry Code; PIN; Gate; Code; Gate Access Code; Access PIN; Gate Access; Keypad',
  taxed: 'Taxed; Taxable; Charge Tax; Tax; Tax Rent; Rent Taxable; Is Taxable; Sales Tax',
  license_plate: 'License Plate; Plate; Plate #; Tag; Vehicle Plate; Plate Number; Tag Number',
  vehicle:
    'Vehicle; Vehicle Description; Boat; RV; Make/Model; Vehicle Make; Boat Description; Contents Description',
  drivers_license_number:
    "Driver's License; Drivers License; DL; DL #; DL Number; License #; License Number; Driver License Number",
  deposit: 'Deposit; Security Deposit; Deposit Held; Deposit Paid; Paid Deposit; Sec Dep; Deposits',
  drivers_license_state: 'DL State; License State; Drivers License State',
} as const;

/** What a heading is compared by. */
export function plainHeading(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replace(/[^a-z0-9]/g, '');
}

const fieldsByHeading = new Map(
  (Object.entries(headings) as [SheetField, string][]).flatMap(([field, list]) =>
    [field, ...list.split('; ')].map((heading) => [plainHeading(heading), field] as const),
  ),
);

/** How many headings are known. */
export const HEADINGS = fieldsByHeading.size;

/** What a column of this heading holds; null where that is not known. */
export function fieldOf(heading: string): SheetField | null {
  return fieldsByHeading.get(plainHeading(heading)) ?? null;
}
