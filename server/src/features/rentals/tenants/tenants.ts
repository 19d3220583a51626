import type { Args } from '@gatehouse/contract/endpoint';
import type { AuditKind } from '@gatehouse/contract/office/audit-actions';
import type { updateTenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { Tables, TenantPart } from '#db/tables.ts';
import { addedToAccountEmail } from '#emails/added-to-account.ts';
import { queueMail, type MailContext } from '#features/base/mail/mail.ts';
import { Refusal } from '#errors/refusal.ts';
import { recordColumns, type TenantRow } from './view.ts';

/**
 * What a tenant may change of a record, already checked; license number and state come together.
 */
type Changes = Args<typeof updateTenant>['body'];
type AlternateContact = NonNullable<Changes['alternateContact']>;

/** The record that is changed, the user, and the request. */
type Change = { tenantId: string; userId: string; request: AuditedRequest };

type TenantColumn = keyof Tables['tenants'];

/**
 * The parts of a record that its tenant changes: their columns, which an import then leaves as they
 * are, and what the audit trail calls the change.
 */
export const tenantParts: Record<TenantPart, { columns: TenantColumn[]; audited: AuditKind }> = {
  license: {
    columns: ['drivers_license_number', 'drivers_license_state'],
    audited: 'license_added',
  },
  phone: { columns: ['phone'], audited: 'phone_added' },
  alternateContact: {
    columns: ['alternate_first_name', 'alternate_last_name', 'alternate_email', 'alternate_phone'],
    audited: 'alternate_contact_set',
  },
};

/** A tenant record that exists. */
export async function getTenant(db: Database, tenantId: string): Promise<TenantRow> {
  const { rows } = await sql<TenantRow>`
    SELECT ${recordColumns}, t.drivers_license_number, t.drivers_license_state
    FROM tenants t WHERE t.id = ${tenantId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no tenant record ${tenantId}`);
  return row;
}

/**
 * Adds a driver's license or a phone, and sets the alternate contact: all of what is given or
 * nothing. Answers the record. Refuses with 409 a license or phone where there is one; of several
 * at once one adds. The address on file is notified of what was added.
 */
export async function changeTenant(
  ctx: Context,
  change: Change,
  changes: Changes,
): Promise<TenantRow> {
  const {
    driversLicenseNumber: number,
    driversLicenseState: state,
    phone,
    alternateContact,
  } = changes;
  return ctx.db.transaction().execute(async (trx) => {
    if (number !== undefined && state !== undefined)
      await addLicense(ctx, trx, change, { number, state });
    if (phone !== undefined) await addPhone(ctx, trx, change, phone.primary);
    if (alternateContact !== undefined)
      await setAlternateContact(ctx, trx, change, alternateContact);
    return getTenant(trx, change.tenantId);
  });
}

async function addLicense(
  ctx: Context,
  trx: DatabaseTransaction,
  change: Change,
  { number, state }: { number: string; state: string },
): Promise<void> {
  const added = await trx
    .updateTable('tenants')
    .set({
      drivers_license_number: ctx.vault.seal('license', change.tenantId, number),
      drivers_license_state: state,
    })
    .where('id', '=', change.tenantId)
    .where('drivers_license_number', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (added === undefined)
    throw new Refusal(
      409,
      t("A driver's license is already on file. Please call your facility to change it."),
    );
  await note(ctx, trx, change, 'license', null);
  await notifyOfChange(ctx, trx, change, 'license');
}

async function addPhone(
  ctx: Context,
  trx: DatabaseTransaction,
  change: Change,
  phone: string,
): Promise<void> {
  const added = await trx
    .updateTable('tenants')
    .set({ phone })
    .where('id', '=', change.tenantId)
    .where('phone', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (added === undefined)
    throw new Refusal(
      409,
      t('A phone number is already on file. Please call your facility to change it.'),
    );
  await note(ctx, trx, change, 'phone', phone);
  await notifyOfChange(ctx, trx, change, 'phone');
}

async function setAlternateContact(
  ctx: Context,
  trx: DatabaseTransaction,
  change: Change,
  contact: AlternateContact,
): Promise<void> {
  await trx
    .updateTable('tenants')
    .set({
      alternate_first_name: contact.firstName,
      alternate_last_name: contact.lastName,
      alternate_email: contact.email,
      alternate_phone: contact.phone,
    })
    .where('id', '=', change.tenantId)
    .execute();
  await note(ctx, trx, change, 'alternateContact', contact);
}

/** Who changed what, and when: contact data as the tenant last gave it is a legal record. */
async function note(
  ctx: Context,
  trx: DatabaseTransaction,
  { tenantId, userId, request }: Change,
  part: TenantPart,
  value: string | AlternateContact | null,
): Promise<void> {
  const changed_at = ctx.clock.now();
  await trx
    .insertInto('tenant_changes')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      changed_at,
      part,
      value: value === null ? null : JSON.stringify(value),
    })
    .execute();
  await audit(ctx, trx, request, [{ kind: tenantParts[part].audited, userId, tenantId }]);
}

/** Notifies the address on file of what was added. */
export async function notifyOfChange(
  ctx: MailContext,
  trx: DatabaseTransaction,
  { tenantId }: Pick<Change, 'tenantId'>,
  part: 'license' | 'phone',
): Promise<void> {
  const { email, ...names } = await trx
    .selectFrom('tenants')
    .innerJoin('facilities', 'facilities.id', 'tenants.facility_id')
    .select(['tenants.email', 'first_name as firstName'])
    .select(['facilities.name as facilityName', 'facilities.phone as facilityPhone'])
    .where('tenants.id', '=', tenantId)
    .executeTakeFirstOrThrow();
  await queueMail(ctx, trx, {
    to: email,
    kind: 'security',
    tenantId,
    email: () => addedToAccountEmail(part, names),
  });
}
