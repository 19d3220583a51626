import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMoney } from '@gatehouse/contract/money';
import { payLinkStates, type PayLinkRow } from '@gatehouse/contract/staff-pay-links';
import { Stack } from '@mui/material';
import { ActionButton } from '#parts/action-dialog.tsx';
import { formatInstant, State } from '#parts/format.tsx';
import { Section } from '#parts/section.tsx';

/** The pay links of a tenant record; one that can be paid has a button that ends it. */
export function PayLinks({ tenant: { payLinks } }: { tenant: TenantFile }) {
  if (payLinks.length === 0) return null;
  return (
    <Section title="Pay links">
      <Stack component="ul" sx={{ gap: 1, m: 0, p: 0 }}>
        {payLinks.map((link) => (
          <PayLink key={link.payLinkId} link={link} />
        ))}
      </Stack>
    </Section>
  );
}

function PayLink({ link }: { link: PayLinkRow }) {
  const { payLinkId, unitName, amount, left, by, createdAt, endsAt, state } = link;
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', listStyle: 'none' }}
    >
      <span>{`${formatMoney(amount)} of ${unitName}, by ${by}, ${formatInstant(createdAt)}${state === 'open' && left < amount ? `, ${formatMoney(left)} is left` : ''}${state === 'open' ? `, until ${formatInstant(endsAt)}` : ''}`}</span>
      <State tone={state === 'open' ? 'success' : 'default'}>{payLinkStates[state]}</State>
      {state === 'open' && (
        <ActionButton
          action={officeVerbs['payLinks.revoke']}
          label="Revoke"
          explanation="The link does not work from then on. A payment by it that has begun is completed."
          given={{ payLinkId }}
          isDanger
        />
      )}
    </Stack>
  );
}
