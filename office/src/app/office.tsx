import { tenantName } from '@gatehouse/contract/tenant-name';
import { QueryClient } from '@tanstack/react-query';
import { Admin, CustomRoutes, Resource } from 'react-admin';
import { BrowserRouter, Route } from 'react-router-dom';
import { authProvider } from '#api/auth-provider.ts';
import { dataProvider } from '#api/data-provider.ts';
import { preferences } from '#api/facility.ts';
import { Account } from '#screens/account.tsx';
import { AlarmList } from '#screens/alarms.tsx';
import { AuditList } from '#screens/audit.tsx';
import { Deposits } from '#screens/deposits.tsx';
import { DifferenceList } from '#screens/differences.tsx';
import { GoLive } from '#screens/go-live.tsx';
import { ImportPage } from '#screens/import/import.tsx';
import { InsuranceList } from '#screens/insurance.tsx';
import { InvitationPage } from '#screens/invitation.tsx';
import { LateList } from '#screens/late.tsx';
import { PaperList } from '#screens/papers.tsx';
import { RateList } from '#screens/rates.tsx';
import { JournalPage } from '#screens/journal.tsx';
import { Reports } from '#screens/reports.tsx';
import { RequestList, RequestShow } from '#screens/requests.tsx';
import { Settings } from '#screens/settings.tsx';
import { SignInPage } from '#screens/sign-in.tsx';
import { StaffList } from '#screens/staff.tsx';
import { TenantShow } from '#screens/tenant/tenant-show.tsx';
import { TenantList } from '#screens/tenants.tsx';
import { Today } from '#screens/today.tsx';
import { UnitList, UnitShow } from '#screens/units.tsx';
import { Layout } from './layout.tsx';
import { darkTheme, lightTheme } from './theme.ts';

// A refusal is an answer: only what got none is asked again.
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network a call is sent as well, and fails with the sentence that says so.
      networkMode: 'always',
      retry: (count, error) => count < 2 && (error as { status?: number }).status === 0,
      staleTime: 0,
    },
  },
});

/** The staff's console over the contract's office calls. */
export function Office() {
  return (
    <BrowserRouter basename="/office">
      <Admin
        authProvider={authProvider}
        dataProvider={dataProvider}
        queryClient={queryClient}
        darkTheme={darkTheme}
        theme={lightTheme}
        store={preferences}
        dashboard={Today}
        layout={Layout}
        loginPage={SignInPage}
        requireAuth
        disableTelemetry
        title="Office"
      >
        <Resource
          name="tenants"
          list={TenantList}
          show={TenantShow}
          recordRepresentation={tenantName}
        />
        <Resource name="units" list={UnitList} show={UnitShow} recordRepresentation="name" />
        <Resource name="late" list={LateList} />
        <Resource
          name="requests"
          list={RequestList}
          show={RequestShow}
          recordRepresentation="reference"
        />
        <Resource name="insurance" list={InsuranceList} />
        <Resource name="papers" list={PaperList} />
        <Resource name="alarms" list={AlarmList} />
        <Resource name="differences" list={DifferenceList} />
        <Resource name="rates" list={RateList} />
        <Resource name="audit" list={AuditList} />
        <Resource name="staff" list={StaffList} recordRepresentation="email" />
        <CustomRoutes>
          <Route path="/deposits" element={<Deposits />} />
          <Route path="/reports" element={<Reports />} />
          <Route path="/journal" element={<JournalPage />} />
          <Route path="/settings" element={<Settings />} />
          <Route path="/go-live" element={<GoLive />} />
          <Route path="/import" element={<ImportPage />} />
          <Route path="/account" element={<Account />} />
        </CustomRoutes>
        <CustomRoutes noLayout>
          <Route path="/invitation" element={<InvitationPage />} />
        </CustomRoutes>
      </Admin>
    </BrowserRouter>
  );
}
