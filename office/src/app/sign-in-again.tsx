import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Typography,
} from '@mui/material';
import { useLogout } from 'react-admin';
import { signIn } from '#api/auth-provider.ts';
import { useSession } from '#api/session.ts';
import { SignInForm } from '#screens/sign-in.tsx';

/**
 * Renews a session that ended over the page as it is: a form that was being filled keeps what was
 * typed, and its call is repeated.
 */
export function SignInAgain() {
  const { me, isAsking } = useSession();
  const logout = useLogout();
  if (me === null) return null;
  return (
    <Dialog open={isAsking} aria-labelledby="sign-in-again" fullWidth maxWidth="xs">
      <DialogTitle id="sign-in-again">Sign in again</DialogTitle>
      <DialogContent>
        <Typography sx={{ mb: 2 }}>
          Your session has ended. What you typed is still here.
        </Typography>
        <SignInForm email={me.email} onSubmit={signIn} />
      </DialogContent>
      <DialogActions>
        <Button onClick={() => void logout()}>Leave</Button>
      </DialogActions>
    </Dialog>
  );
}
