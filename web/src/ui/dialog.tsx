import { t } from '@gatehouse/language/t';
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';
import { useTyped } from './use-typed.ts';

/** Names the dialog around by what was done in it. */
export const DialogTitle = createContext<(title: string) => void>(() => {});

type DialogProps = {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** While true nothing closes the dialog. */
  busy?: boolean;
  /**
   * Lets a script of another party lay windows of its own over it, which a browser's modal dialog
   * makes dead to every press. The rest of our page is held all the same. As it is when the dialog
   * opens.
   */
  mayBeCovered?: boolean;
};

/**
 * A modal dialog that is open as long as it is rendered: a sheet from the bottom on phones. Escape,
 * the close button and a press outside ask `onClose`; focus goes back to where it was. Where
 * something was typed, Escape, the way back and a press outside ask the tenant first.
 */
export function Dialog({
  title,
  description,
  onClose,
  children,
  busy = false,
  mayBeCovered = false,
}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const [isModal] = useState(!mayBeCovered);
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<string>();
  const isTyped = useTyped(box, () => setAsking(true));
  useShown(box, { heading, isModal, busy, isTyped, leave });

  /** Closes by the close button, or by what may have been meant for something else. */
  function close() {
    if (!busy) onClose();
  }
  /** The question goes first: the focus goes back to where the dialog was opened. */
  function discard() {
    flushSync(() => setAsking(false));
    onClose();
  }
  function leave() {
    if (isTyped() && !busy) setAsking(true);
    else close();
  }
  function cancel(event: SyntheticEvent) {
    if (event.target !== box.current) return;
    event.preventDefault();
    leave();
  }
  function press(event: MouseEvent) {
    if (event.target === box.current) leave();
  }

  return (
    <>
      {/* The press outside is a shortcut for the pointer; the keyboard has Escape and the close
          button. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <dialog
        ref={box}
        aria-modal={isModal ? undefined : true}
        aria-labelledby={`${id}-title`}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onCancel={cancel}
        onMouseDown={press}
        className={`group opening on-float m-auto max-h-[92dvh] w-full max-w-lg overscroll-contain scroll-pt-20 scroll-pb-48 rounded-card bg-raised text-left font-normal text-text max-sm:-mb-px max-sm:max-w-none max-sm:rounded-b-none ${isModal ? 'shadow-float' : 'fixed inset-0 z-30 h-fit overflow-auto [box-shadow:0_0_0_100vmax_var(--backdrop)]'}`}
      >
        <div className="@container px-4 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:px-6 sm:pt-6 sm:pb-6">
          {/* In sight while the content scrolls, where a screen has room for it. */}
          <div className="sticky top-0 z-10 -mx-4 -mt-4 flex items-start gap-4 border-b border-line bg-raised px-4 pt-4 pb-2 sm:-mx-6 sm:-mt-6 sm:px-6 sm:pt-6 [@media(max-height:40rem)]:static">
            <h2
              ref={heading}
              id={`${id}-title`}
              tabIndex={-1}
              className="min-w-0 flex-1 py-1.5 text-20 font-semibold @max-[12rem]:text-17"
            >
              {done ?? title}
            </h2>
            <button
              type="button"
              aria-label={t('Close')}
              disabled={busy}
              onClick={close}
              className="-mt-1 -mr-2 inline-flex size-12 shrink-0 items-center justify-center rounded-control text-muted hover:bg-surface disabled:opacity-50"
            >
              <Icon name="close" />
            </button>
          </div>
          {description !== undefined && (
            <p id={`${id}-description`} className="mt-3 text-muted group-has-data-done:hidden">
              {description}
            </p>
          )}
          <div className="mt-4">
            <DialogTitle value={setDone}>{children}</DialogTitle>
          </div>
        </div>
      </dialog>
      {isAsking && <Discarding onKeep={() => setAsking(false)} onDiscard={discard} />}
    </>
  );
}

type Shown = {
  heading: RefObject<HTMLHeadingElement | null>;
  isModal: boolean;
  busy: boolean;
  isTyped: () => boolean;
  /** Escape or the way back was pressed. */
  leave: () => void;
};

/** Opens the dialog while it is rendered: the page is held, and gets its focus back. */
function useShown(
  box: RefObject<HTMLDialogElement | null>,
  { heading, isModal, busy, isTyped, leave }: Shown,
): void {
  const show = (dialog: HTMLDialogElement | null) =>
    isModal ? dialog?.showModal() : dialog?.show();

  // Chrome lets a second Escape, and Android its back gesture, close any dialog: its owner must
  // hear of it, and while busy it is opened again.
  const closed = useEffectEvent(() => {
    if (busy || isTyped()) show(box.current);
    leave();
  });
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (busy) event.preventDefault();
    else if (!isModal) leave();
  });
  const opened = useEffectEvent(show);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog === null) return;
    // The page stops scrolling; what its scrollbar took stays free, so that nothing moves.
    const { documentElement } = document;
    documentElement.style.setProperty(
      '--scrollbar',
      `${innerWidth - documentElement.clientWidth}px`,
    );
    const release = isModal ? () => {} : holdRest(dialog);
    const before = document.activeElement;
    opened(dialog);
    growFrom(dialog, before);
    heading.current?.focus();
    const hold = (event: KeyboardEvent) => {
      // The focus falls to the body where what had it went away; what another party laid over us
      // has its own Escape.
      const isOurs = event.target === document.body || dialog.contains(event.target as Node);
      if (event.key === 'Escape' && isOurs) pressed(event);
    };
    document.addEventListener('keydown', hold);
    dialog.addEventListener('close', closed);
    return () => {
      // Closed before it leaves the page, because only then the browser gives focus back.
      document.removeEventListener('keydown', hold);
      dialog.removeEventListener('close', closed);
      release();
      dialog.close();
      // Where the focus had fallen to the body, only a modal dialog gives it back.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [box, heading, isModal]);
}

/** Asks before what was typed is thrown away. */
function Discarding({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Dialog title={t('Discard what you entered?')} onClose={onKeep}>
      <p className="mb-4">{t('What was not sent will be lost.')}</p>
      <DialogActions>
        <Button variant="secondary" onClick={onKeep}>
          {t('Keep editing')}
        </Button>
        <Button variant="danger" onClick={onDiscard}>
          {t('Discard')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Where there is room, the dialog grows from the button that opened it. */
function growFrom(dialog: HTMLElement, opener: Element | null): void {
  if (opener === null || !matchMedia('(width >= 40rem)').matches) return;
  const from = opener.getBoundingClientRect();
  const to = dialog.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left;
  const y = from.top + from.height / 2 - to.top;
  dialog.style.transformOrigin = `${x}px ${y}px`;
  dialog.style.setProperty('--opening', 'scale(0.9)');
}

/**
 * Makes all of our page but the dialog dead to presses and keys; what others put next to our page
 * stays alive.
 */
function holdRest(dialog: HTMLElement): () => void {
  const held: HTMLElement[] = [];
  let part = dialog;
  for (
    let around = part.parentElement;
    around !== null && around !== document.body;
    around = part.parentElement
  ) {
    for (const other of around.children) {
      if (other === part || !(other instanceof HTMLElement) || other.inert) continue;
      other.inert = true;
      held.push(other);
    }
    part = around;
  }
  return () => held.forEach((other) => (other.inert = false));
}

/**
 * The dialog's actions, the primary one last: a bar that stays in sight while the fields scroll.
 * Where large text stacks them the primary one is on top and stays; the others hang under the
 * dialog's edge until it is scrolled to its end or the keyboard comes to the bar.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="actions sticky bottom-0 z-10 -mx-4 mt-2 -mb-4 flex flex-wrap gap-3 [@media(max-height:24rem)]:static border-t border-line bg-raised px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] *:flex-1 sm:-mx-6 sm:-mb-6 sm:justify-end sm:rounded-b-card sm:px-6 sm:py-4 sm:*:flex-none">
      {children}
    </div>
  );
}
