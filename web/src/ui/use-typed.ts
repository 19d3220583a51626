import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * Whether something was typed into the text controls of a part of the page, as long as they are
 * there; `onBack` is called in place of the browser's way back while something is.
 */
export function useTyped(part: RefObject<HTMLElement | null>, onBack: () => void): () => boolean {
  const before = useRef(new Map<Control, string>());
  const isTyped = () =>
    [...before.current].some(([control, value]) => control.isConnected && control.value !== value);
  const back = useEffectEvent((event: PopStateEvent) => {
    if (!isTyped()) return;
    event.stopImmediatePropagation();
    // The way forward again is none for the router either.
    addEventListener('popstate', (again) => again.stopImmediatePropagation(), {
      capture: true,
      once: true,
    });
    history.forward();
    onBack();
  });
  useEffect(() => {
    const element = part.current;
    const note = ({ target }: FocusEvent) => {
      if (isTextControl(target) && !before.current.has(target))
        before.current.set(target, target.value);
    };
    element?.addEventListener('focusin', note);
    addEventListener('popstate', back, { capture: true });
    return () => {
      element?.removeEventListener('focusin', note);
      removeEventListener('popstate', back, { capture: true });
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
