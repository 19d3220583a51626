import AccountBalanceWalletIcon from '@mui/icons-material/AccountBalanceWallet';
import AlarmIcon from '@mui/icons-material/NotificationsActive';
import AssessmentIcon from '@mui/icons-material/Assessment';
import BadgeIcon from '@mui/icons-material/Badge';
import DifferenceIcon from '@mui/icons-material/CompareArrows';
import GarageIcon from '@mui/icons-material/Garage';
import HistoryIcon from '@mui/icons-material/ManageSearch';
import JournalIcon from '@mui/icons-material/MenuBook';
import InsuranceIcon from '@mui/icons-material/HealthAndSafety';
import ImportIcon from '@mui/icons-material/UploadFile';
import InboxIcon from '@mui/icons-material/Inbox';
import LateIcon from '@mui/icons-material/HourglassBottom';
import PaperIcon from '@mui/icons-material/Description';
import PeopleIcon from '@mui/icons-material/People';
import RateIcon from '@mui/icons-material/PriceChange';
import GoLiveIcon from '@mui/icons-material/RocketLaunch';
import SecurityIcon from '@mui/icons-material/Security';
import SettingsIcon from '@mui/icons-material/Settings';
import TodayIcon from '@mui/icons-material/Today';
import { ListItemIcon, ListItemText, MenuItem, TextField } from '@mui/material';
import type { ReactNode } from 'react';
import {
  AppBar,
  Layout as BaseLayout,
  Logout,
  Menu,
  TitlePortal,
  UserMenu,
  useRedirect,
  useUserMenu,
} from 'react-admin';
import { useFacilityInView } from '#api/facility.ts';
import { hasRole } from '#api/auth-provider.ts';
import { useSession } from '#api/session.ts';
import { Find } from './find.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/**
 * The frame of every page: bar, menu, and the dialog that renews a session. From a sign-out on it
 * shows nothing, whatever the way to the sign-in page waits for.
 */
export function Layout({ children }: { children: ReactNode }) {
  if (useSession().me === null) return null;
  return (
    <BaseLayout
      appBar={OfficeBar}
      menu={OfficeMenu}
      appBarAlwaysOn
      // A wide table scrolls by itself, not the page with it.
      sx={{ minWidth: 0, '& .RaLayout-content': { minWidth: 0 } }}
    >
      {children}
      <SignInAgain />
    </BaseLayout>
  );
}

const hiddenOnPhones = {
  position: { xs: 'absolute', sm: 'static' },
  width: { xs: '1px', sm: 'auto' },
  height: { xs: '1px', sm: 'auto' },
  overflow: { xs: 'hidden' },
  clipPath: { xs: 'inset(50%)', sm: 'none' },
} as const;

function OfficeBar() {
  return (
    <AppBar
      alwaysOn
      color="primary"
      userMenu={<OfficeUserMenu />}
      toolbar={<></>}
      sx={{ '& .RaUserMenu-userButton': { whiteSpace: 'nowrap' } }}
    >
      {/* On a phone it is for screen readers: there is no room next to the search. */}
      <TitlePortal component="h1" sx={{ ...hiddenOnPhones }} />
      <Find />
      <FacilityChoice />
    </AppBar>
  );
}

/** Which facility the lists are of; nothing for a member who works for one only. */
function FacilityChoice() {
  const { me } = useSession();
  const [locationCode, change] = useFacilityInView();
  if (me === null || me.facilities.length < 2) return null;
  return (
    <TextField
      select
      variant="outlined"
      size="small"
      margin="none"
      hiddenLabel
      value={me.facilities.some((one) => one.locationCode === locationCode) ? locationCode : ''}
      onChange={({ target }) => change(target.value)}
      slotProps={{ select: { native: true }, htmlInput: { 'aria-label': 'Facility' } }}
      sx={{
        mx: 1,
        maxWidth: { xs: 110, sm: 180, md: 260 },
        '& .MuiInputBase-root': { bgcolor: 'background.paper', color: 'text.primary', height: 36 },
      }}
    >
      <option value="">All facilities</option>
      {me.facilities.map(({ locationCode: code, name }) => (
        <option key={code} value={code}>{`${code} ${name}`}</option>
      ))}
    </TextField>
  );
}

function OfficeUserMenu() {
  const { me } = useSession();
  return (
    <UserMenu label={me?.name ?? 'Your account'}>
      <AccountItem />
      <Logout />
    </UserMenu>
  );
}

function AccountItem() {
  const redirect = useRedirect();
  const { onClose } = useUserMenu() ?? {};
  return (
    <MenuItem
      onClick={() => {
        onClose?.();
        redirect('/account');
      }}
    >
      <ListItemIcon>
        <SecurityIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText>Your account</ListItemText>
    </MenuItem>
  );
}

function OfficeMenu() {
  return (
    <Menu>
      <Menu.Item to="/" primaryText="Today" leftIcon={<TodayIcon />} />
      <Menu.Item to="/tenants" primaryText="Tenants" leftIcon={<PeopleIcon />} />
      <Menu.Item to="/units" primaryText="Units" leftIcon={<GarageIcon />} />
      <Menu.Item to="/late" primaryText="Late" leftIcon={<LateIcon />} />
      <Menu.Item to="/requests" primaryText="Requests" leftIcon={<InboxIcon />} />
      <Menu.Item to="/insurance" primaryText="Insurance" leftIcon={<InsuranceIcon />} />
      <Menu.Item to="/papers" primaryText="Papers" leftIcon={<PaperIcon />} />
      <Menu.Item to="/deposits" primaryText="Deposits" leftIcon={<AccountBalanceWalletIcon />} />
      <Menu.Item to="/alarms" primaryText="Alarms" leftIcon={<AlarmIcon />} />
      {hasRole('owner') && (
        <Menu.Item to="/differences" primaryText="Differences" leftIcon={<DifferenceIcon />} />
      )}
      {hasRole('manager') && <Menu.Item to="/rates" primaryText="Rates" leftIcon={<RateIcon />} />}
      {hasRole('manager') && (
        <Menu.Item to="/reports" primaryText="Reports" leftIcon={<AssessmentIcon />} />
      )}
      {hasRole('manager') && (
        <Menu.Item to="/journal" primaryText="Journal" leftIcon={<JournalIcon />} />
      )}
      {hasRole('manager') && (
        <Menu.Item to="/settings" primaryText="Settings" leftIcon={<SettingsIcon />} />
      )}
      {hasRole('manager') && (
        <Menu.Item to="/audit" primaryText="Audit" leftIcon={<HistoryIcon />} />
      )}
      {hasRole('owner') && (
        <Menu.Item to="/import" primaryText="Import" leftIcon={<ImportIcon />} />
      )}
      {hasRole('owner') && <Menu.Item to="/staff" primaryText="Staff" leftIcon={<BadgeIcon />} />}
      {hasRole('owner') && (
        <Menu.Item to="/go-live" primaryText="Go live" leftIcon={<GoLiveIcon />} />
      )}
    </Menu>
  );
}
