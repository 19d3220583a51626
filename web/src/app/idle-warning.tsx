import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';

type Props = {
  /** The time that is left, such as `1:59`. */
  left: string;
  onStay: () => void;
  onLeave: () => void;
};

/** Warns a visitor who is away of the end of the session. */
export default function IdleWarning({ left, onStay, onLeave }: Props) {
  return (
    <Dialog
      title={t('Are you still there?')}
      description={t('For your safety you will be signed out when nothing happens for 30 minutes.')}
      onClose={onStay}
    >
      <p className="mb-4">
        {rich('Time left: {left}', {
          left: (
            <span role="timer" className="font-semibold tabular-nums">
              {left}
            </span>
          ),
        })}
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onLeave}>
          {t('Logout')}
        </Button>
        <Button onClick={onStay}>{t('Stay signed in')}</Button>
      </DialogActions>
    </Dialog>
  );
}
