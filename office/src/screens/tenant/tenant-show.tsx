import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMonth } from '@gatehouse/contract/dates';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { tenantName } from '@gatehouse/contract/tenant-name';
import { Alert, Card, CardContent, Link, Stack, Typography } from '@mui/material';
import { Show, TabbedShowLayout } from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';
import { hasRole } from '#api/auth-provider.ts';
import { ActionButton } from '#parts/action-dialog.tsx';
import { Fact, Facts } from '#parts/facts.tsx';
import { Money, State } from '#parts/format.tsx';
import { day } from '#parts/outcome.tsx';
import { Section } from '#parts/section.tsx';
import { useWholeRecord } from '#parts/use-whole-record.ts';
import { RequestsOf } from '../requests.tsx';
import { AsTenant } from './as-tenant.tsx';
import { Documents } from './documents.tsx';
import { LateSteps } from './late-steps.tsx';
import { Books, TenantAudit, TenantMails } from './lists.tsx';
import { AddNote, Notes } from './notes.tsx';
import { FinalStatementButton, LetterButton } from './paper-buttons.tsx';
import { PayLinks } from './pay-links.tsx';
import { OfferMenus, Offers, type Rental } from './verbs/offers.tsx';
import { QuotedMoveIn } from './verbs/quote-and-move-in.tsx';
import { mainVerbs, rentalVerbs, tenantVerbs } from './verbs/table.ts';
import { Vehicles } from './vehicles.tsx';
import { WaiveCharge } from './verbs/waive-charge.tsx';

/** One tenant record: what a clerk is asked about, and the verbs next to what they concern. */
export function TenantShow() {
  return (
    <Show>
      <TenantPage />
    </Show>
  );
}

function TenantPage() {
  const tenant = useWholeRecord<TenantFile>('ledgers');
  if (!tenant) return null;
  return (
    <>
      <CardContent>
        {tenant.mailFault !== null && (
          <Alert severity="warning" sx={{ mb: 2 }}>
            {`The last mail to ${tenant.email} could not be delivered (${tenant.mailFault}). Ask the tenant for an address that takes mail.`}
          </Alert>
        )}
        {tenant.unjoinedWith.length > 0 && (
          <Alert severity="warning" sx={{ mb: 2 }}>
            {`${tenant.email} is also on file for ${tenant.unjoinedWith.join(', ')}. Nobody can register with it for this record until the address is joined or changed.`}
          </Alert>
        )}
        {tenant.doNotRent !== null && (
          <Alert severity="error" sx={{ mb: 2 }}>
            {`Do not rent: ${tenant.doNotRent}`}
          </Alert>
        )}
        {tenant.executor !== null && <Died executor={tenant.executor} />}
        <TenantFacts tenant={tenant} />
        <Stack
          direction="row"
          role="group"
          aria-label="What can be done"
          sx={{ columnGap: 2, rowGap: 1, mt: 2, flexWrap: 'wrap' }}
        >
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <Offers of={mainVerbs} place={{ tenant }} ids={{}} />
            <AddNote tenantId={tenant.id} />
          </Stack>
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <OfferMenus of={tenantVerbs} place={{ tenant }} ids={{ tenantId: tenant.id }} />
          </Stack>
          <QuotedMoveIn tenant={tenant} />
        </Stack>
      </CardContent>
      <TabbedShowLayout
        syncWithLocation={false}
        sx={{ '& .MuiTab-root': { minWidth: 0, px: 1.25 } }}
      >
        <TabbedShowLayout.Tab label="Rentals">
          <Stack sx={{ gap: 2, width: '100%' }}>
            {tenant.ledgers.map((rental) => (
              <RentalCard key={rental.ledgerId} rental={rental} tenant={tenant} />
            ))}
            {tenant.ledgers.length === 0 && <Typography>This record rents nothing.</Typography>}
            <PayLinks tenant={tenant} />
            <Documents tenant={tenant} />
            <Methods tenant={tenant} />
          </Stack>
        </TabbedShowLayout.Tab>
        <TabbedShowLayout.Tab label="Books">
          <Books tenant={tenant} />
        </TabbedShowLayout.Tab>
        <TabbedShowLayout.Tab label="Requests">
          <RequestsOf of={{ tenantId: tenant.id }} empty="This tenant has asked for nothing." />
        </TabbedShowLayout.Tab>
        <TabbedShowLayout.Tab label="Mails">
          <Letters tenant={tenant} />
          <TenantMails tenantId={tenant.id} />
        </TabbedShowLayout.Tab>
        <TabbedShowLayout.Tab label={`Notes (${tenant.notes.length})`}>
          <Notes notes={tenant.notes} />
        </TabbedShowLayout.Tab>
        {hasRole('manager') && (
          <TabbedShowLayout.Tab label="Audit">
            <TenantAudit tenantId={tenant.id} />
          </TabbedShowLayout.Tab>
        )}
        <TabbedShowLayout.Tab label="Tenant’s view">
          <AsTenant tenantId={tenant.id} />
        </TabbedShowLayout.Tab>
      </TabbedShowLayout>
    </>
  );
}

/** That the tenant died, and whom to write to or call. */
function Died({ executor }: { executor: NonNullable<TenantFile['executor']> }) {
  const { name, relation, phone, email, note } = executor;
  return (
    <Alert severity="warning" sx={{ mb: 2 }}>
      <Stack direction="row" sx={{ columnGap: 2, flexWrap: 'wrap' }}>
        <span>{`Deceased. Executor: ${name}${relation === null ? '' : `, ${relation}`}`}</span>
        {phone !== null && <Link href={phoneHref(phone)}>{formatPhone(phone)}</Link>}
        {email !== null && <Link href={`mailto:${email}`}>{email}</Link>}
        {note !== null && <span>{note}</span>}
      </Stack>
    </Alert>
  );
}

const signIns = { none: 'Not registered', active: 'Registered', disabled: 'Disabled' };

function TenantFacts({ tenant }: { tenant: TenantFile }) {
  const { address, alternateContact } = tenant;
  const owed = sumDollars(tenant.ledgers.map(({ balance }) => Math.max(0, balance)));
  return (
    <Facts>
      <Fact label="Tenant">{tenantName(tenant)}</Fact>
      {tenant.company !== null && (
        <Fact label="Contact">{`${tenant.firstName} ${tenant.lastName}`}</Fact>
      )}
      <Fact label="Owed in all">
        <Money value={owed} isOwed />
      </Fact>
      <Fact label="Email">
        <Link href={`mailto:${tenant.email}`}>{tenant.email}</Link>
      </Fact>
      <Fact label="Phone">
        {tenant.phone === null ? (
          '–'
        ) : (
          <Link href={phoneHref(tenant.phone)}>{formatPhone(tenant.phone)}</Link>
        )}
      </Fact>
      <Fact label="Address">
        {[address.street1, address.street2, address.city, address.region, address.postalCode]
          .filter(Boolean)
          .join(', ')}
      </Fact>
      <Fact label="Facility">{tenant.locationCode}</Fact>
      <Fact label="Portal">{signIns[tenant.signIn]}</Fact>
      {tenant.isMilitary && <Fact label="Military">In active service</Fact>}
      {tenant.taxExemptPaper !== null && <Fact label="Tax-exempt by">{tenant.taxExemptPaper}</Fact>}
      {tenant.tags.length > 0 && <Fact label="Tags">{tenant.tags.join(', ')}</Fact>}
      {alternateContact && (
        <Fact label="Alternate contact">{`${alternateContact.firstName} ${alternateContact.lastName}, ${formatPhone(alternateContact.phone)}`}</Fact>
      )}
    </Facts>
  );
}

/** The other tenant of a rental that was assigned. */
function OtherTenant({ label, record }: { label: string; record: NonNullable<Rental['wentTo']> }) {
  return (
    <Fact label={label}>
      <Link component={RouterLink} to={`/tenants/${record.tenantId}/show`}>
        {record.name}
      </Link>
    </Fact>
  );
}

function RentalCard({ rental, tenant }: { rental: Rental; tenant: TenantFile }) {
  const { unitName, balance, openCharges, movedOutOn, isEnded, waitsForSettlement } = rental;
  return (
    <Card variant="outlined" component="section" aria-label={`Rental ${unitName}`}>
      <CardContent>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 2 }}>
          <Typography variant="h6" component="h2">
            {unitName}
          </Typography>
          {rental.isLockedOut && <State tone="error">Locked out</State>}
          {rental.overlockedOn !== null && (
            <State tone="error">{`Locked by hand ${day(rental.overlockedOn)}`}</State>
          )}
          {rental.hold && (
            <State tone="warning">{`On hold${rental.hold.until !== null ? ` until ${day(rental.hold.until)}` : ''}`}</State>
          )}
          {movedOutOn !== null && (
            <State>{`${isEnded ? 'Ended' : 'Ends'} ${day(movedOutOn)}`}</State>
          )}
          {rental.transfer && (
            <State tone="warning">{`Moves to ${rental.transfer.unitName} ${day(rental.transfer.on)}`}</State>
          )}
        </Stack>
        <Facts>
          <Fact label="Balance">
            <Money value={balance} isOwed />
          </Fact>
          <Fact label="Rent">
            <Money value={rental.rentalRate} />
            {rental.scheduledRate && (
              <span>
                {`, ${formatMoney(rental.scheduledRate.rate)} from ${day(rental.scheduledRate.on)}`}
              </span>
            )}
          </Fact>
          {rental.cameFrom && <OtherTenant label="Came from" record={rental.cameFrom} />}
          {rental.wentTo && <OtherTenant label="Went to" record={rental.wentTo} />}
          <Fact label="Paid through">{day(rental.paidThrough)}</Fact>
          <Fact label="Days past due">{rental.daysPastDue}</Fact>
          <Fact label="Since">{day(rental.movedInOn)}</Fact>
          {!isEnded && (
            <Fact label="Autopay">{rental.autopayMethodId === null ? 'Off' : 'On'}</Fact>
          )}
        </Facts>
        {rental.hold?.why && (
          <Typography sx={{ mt: 1 }}>
            {`On hold by ${rental.hold.by}: ${rental.hold.why}`}
          </Typography>
        )}
        {waitsForSettlement && (
          <Alert
            severity="info"
            sx={{ mt: 2 }}
          >{`A bank payment has not settled. The gate opens about ${day(waitsForSettlement.date)}.`}</Alert>
        )}
        <LateSteps
          unitName={unitName}
          steps={tenant.lateSteps.find(({ ledgerId }) => ledgerId === rental.ledgerId)?.steps ?? []}
        />
        <Vehicles
          unitName={unitName}
          vehicles={tenant.vehicles.filter(({ ledgerId }) => ledgerId === rental.ledgerId)}
        />
        <AuthorizedPersons rental={rental} />
        {openCharges.length > 0 && (
          <Stack
            sx={{ mt: 2, p: 0, gap: 0.5 }}
            component="ul"
            aria-label={`Open charges of ${unitName}`}
          >
            {openCharges.map(({ chargeId, description, dueOn, owed }) => (
              <Stack
                key={chargeId}
                component="li"
                direction="row"
                sx={{ gap: 2, alignItems: 'center', justifyContent: 'space-between' }}
              >
                <span>{`${description}, due ${day(dueOn)}`}</span>
                <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
                  <Money value={owed} isOwed />
                  <WaiveCharge chargeId={chargeId} most={owed} />
                </Stack>
              </Stack>
            ))}
          </Stack>
        )}
        <Stack direction="row" sx={{ mt: 2, flexWrap: 'wrap', columnGap: 1 }}>
          <OfferMenus
            of={rentalVerbs}
            place={{ rental, tenant }}
            ids={{ ledgerId: rental.ledgerId }}
          />
          {rental.hasFinalStatement && <FinalStatementButton ledgerId={rental.ledgerId} />}
        </Stack>
      </CardContent>
    </Card>
  );
}

function AuthorizedPersons({ rental: { unitName, authorized } }: { rental: Rental }) {
  if (authorized.length === 0) return null;
  return (
    <Stack
      sx={{ mt: 2, p: 0 }}
      component="ul"
      aria-label={`Who else opens the gate of ${unitName}`}
    >
      {authorized.map(({ personId, name, phone, lastOn }) => (
        <Stack
          key={personId}
          component="li"
          direction="row"
          sx={{ gap: 2, alignItems: 'center', justifyContent: 'space-between' }}
        >
          <span>
            {[
              `${name} has a gate code`,
              ...(phone === null ? [] : [formatPhone(phone)]),
              ...(lastOn === null ? [] : [`through ${day(lastOn)}`]),
            ].join(', ')}
          </span>
          <ActionButton
            action={officeVerbs['rentals.endAuthorization']}
            label="End"
            explanation={`The code of ${name} opens nothing from now on.`}
            given={{ personId }}
            isDanger
          />
        </Stack>
      ))}
    </Stack>
  );
}

/** The printed letters to the record. */
function Letters({ tenant: { id, letters } }: { tenant: TenantFile }) {
  if (letters.length === 0) return null;
  return (
    <Stack component="ul" aria-label="Printed letters" sx={{ m: 0, mb: 1, p: 0, width: '100%' }}>
      {letters.map(({ printingId, on, owed, by }) => (
        <Stack
          key={printingId}
          component="li"
          direction="row"
          sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}
        >
          <span>{`Letter of ${day(on)} about ${formatMoney(owed)}, printed by ${by}`}</span>
          <LetterButton printingId={printingId} tenantId={id} on={day(on)} />
        </Stack>
      ))}
    </Stack>
  );
}

function Methods({ tenant: { id, methods, ledgers } }: { tenant: TenantFile }) {
  if (methods.length === 0) return <Typography>No payment method is saved.</Typography>;
  return (
    <Section title="Payment methods">
      {methods.map(({ methodId, description, expiresOn, isRefused }) => {
        const paid = ledgers.filter(({ autopayMethodId }) => autopayMethodId === methodId);
        return (
          <Stack key={methodId} direction="row" sx={{ gap: 1, alignItems: 'center' }}>
            <span>{`${description}${expiresOn !== null ? `, expires ${formatMonth(expiresOn)}` : ''}${paid.length > 0 ? `, autopay of ${paid.map((one) => one.unitName).join(', ')}` : ''}`}</span>
            {isRefused && <State tone="error">Refused</State>}
            {isRefused && (
              <ActionButton
                action={officeVerbs['payments.allowAccount']}
                label="Allow again"
                explanation="Autopay stays off until the tenant sets it up again in the portal."
                given={{ tenantId: id, methodId }}
              />
            )}
          </Stack>
        );
      })}
    </Section>
  );
}
