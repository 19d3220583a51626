import { viewAsTenant } from '@gatehouse/contract/office/tenants';
import type { Reply } from '@gatehouse/contract/endpoint';
import { Alert, Button, Card, CardContent, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { Fact, Facts } from '#parts/facts.tsx';
import { Failure } from '#parts/failure.tsx';
import { Money } from '#parts/format.tsx';
import { day } from '#parts/outcome.tsx';

/** What the tenant reads on My Units, asked for by a button, because showing it is audited. */
export function AsTenant({ tenantId }: { tenantId: string }) {
  const [isAsked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['as-tenant', tenantId],
    enabled: isAsked,
    queryFn: ({ signal }) => call(viewAsTenant, { params: { tenantId } }, signal),
    // Each look is recorded: the page does not look again by itself.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (data) return <Overview overview={data} />;
  return (
    <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
      <Typography>
        Shows the tenant’s page as it is now, with gate codes. That you looked is recorded.
      </Typography>
      <Failure error={error?.message ?? null} />
      <Button
        variant="contained"
        loading={isFetching}
        onClick={() => (isAsked ? void refetch() : setAsked(true))}
      >
        <span>{error === null ? 'Show the page' : 'Try again'}</span>
      </Button>
    </Stack>
  );
}

function Overview({ overview }: { overview: Reply<typeof viewAsTenant> }) {
  const { ledgers, gateAccess = [], autopays = [], insuranceStatuses = [] } = overview;
  if (ledgers === undefined)
    return <Alert severity="error">There was an issue loading the rental data</Alert>;
  if (ledgers.length === 0) return <Typography>You are not currently renting any units</Typography>;
  return (
    <Stack sx={{ gap: 2, width: '100%' }}>
      <Alert severity="info">For reading: nothing can be changed from here.</Alert>
      {ledgers.map((ledger) => {
        const access = gateAccess.find(({ unitId }) => unitId === ledger.unitId);
        const autopay = autopays.find(({ ledgerId }) => ledgerId === ledger.id);
        const insurance = insuranceStatuses.find(({ ledgerId }) => ledgerId === ledger.id);
        return (
          <Card key={ledger.id} variant="outlined">
            <CardContent>
              <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
                {ledger.unitName}
              </Typography>
              <Facts>
                <Fact label="Current balance">
                  <Money value={ledger.balance} isOwed />
                </Fact>
                <Fact label="Paid through">{day(ledger.paidThrough)}</Fact>
                <Fact label="Gate access">{access?.accessCode ?? 'Locked out'}</Fact>
                <Fact label="Autopay">{autopay?.active ? 'On' : 'Needs setup'}</Fact>
                <Fact label="Insurance or protection plan">
                  {insurance?.activeInsurance || insurance?.privateInsurance
                    ? 'Completed'
                    : 'Needed'}
                </Fact>
              </Facts>
            </CardContent>
          </Card>
        );
      })}
    </Stack>
  );
}
