import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { wayBack } from './way-back.ts';

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * Whether something was typed into the text controls of a part of the page, as long as they are in
 * sight: those of a form that was sent are hidden. `onBack` is called in place of the browser's way
 * back while something is.
 */
export function useTyped(part: RefObject<HTMLElement | null>, onBack: () => void): () => boolean {
  const typed = useRef(new Map<Control, string>());
  const isReturning = useRef(false);
  const isTyped = () =>
    [...typed.current].some(
      ([control, value]) => control.getClientRects().length > 0 && control.value !== value,
    );
  const hold = useEffectEvent(() => {
    if (!isReturning.current && !isTyped()) return false;
    // The return is no way of the router either.
    isReturning.current = !isReturning.current;
    if (isReturning.current) {
      history.forward();
      onBack();
    }
    return true;
  });
  useEffect(() => {
    const element = part.current;
    const note = ({ target }: FocusEvent) => {
      if (isTextControl(target) && !typed.current.has(target))
        typed.current.set(target, target.value);
    };
    element?.addEventListener('focusin', note);
    const before = wayBack.isHeld;
    wayBack.isHeld = () => hold() || before();
    return () => {
      element?.removeEventListener('focusin', note);
      wayBack.isHeld = before;
    };
  }, [part]);
  return isTyped;
}

function isTextControl(target: EventTarget | null): target is Control {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !/^(radio|checkbox|file|button)$/.test(target.type))
  );
}
