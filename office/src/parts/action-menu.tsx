import Chevron from '@mui/icons-material/ExpandMore';
import { Button, Divider, Menu, MenuItem } from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import { type AnyAction, isAllowed, PageAction } from './action-dialog.tsx';

type Props = { label: string; actions: AnyAction[] };

/**
 * A button that opens a group of actions, those that take something away last. Nothing is shown
 * where the reader may do none of them.
 */
export function ActionMenu({ label, actions }: Props) {
  const id = useId();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<AnyAction | null>(null);
  const wasChosen = useRef(false);
  // The dialog was opened from an item that is no longer there.
  useEffect(() => {
    if (chosen === null && wasChosen.current) button?.focus();
    wasChosen.current = chosen !== null;
  }, [chosen, button]);
  const allowed = actions.filter(isAllowed);
  if (allowed.length === 0 && chosen === null) return null;
  const isDanger = (one: AnyAction) => one.isDanger === true;
  const first = allowed.filter((one) => !isDanger(one));
  const last = allowed.filter(isDanger);
  const item = (one: AnyAction) => (
    <MenuItem
      key={one.label}
      sx={one.isDanger === true ? { color: 'error.main' } : {}}
      onClick={() => {
        setOpen(false);
        setChosen(one);
      }}
    >
      {one.label}
    </MenuItem>
  );
  return (
    <>
      <Button
        ref={setButton}
        id={id}
        size="small"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        endIcon={<Chevron />}
        onClick={() => setOpen(true)}
      >
        <span>{label}</span>
      </Button>
      <Menu
        open={isOpen}
        anchorEl={button}
        // In the page's landmark, not after all of them.
        container={() => button?.closest('main') ?? document.body}
        onClose={() => setOpen(false)}
        transitionDuration={0}
        slotProps={{ list: { 'aria-labelledby': id } }}
      >
        {first.map(item)}
        {first.length > 0 && last.length > 0 && <Divider component="li" />}
        {last.map(item)}
      </Menu>
      {chosen && <PageAction {...chosen} onClose={() => setChosen(null)} />}
    </>
  );
}
