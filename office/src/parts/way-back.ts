/** Whether something holds the browser's way back, such as a dialog with typed text. */
export const wayBack = { isHeld: () => false };

// Before the router's own, which is added once it is rendered.
addEventListener('popstate', (event) => {
  if (wayBack.isHeld()) event.stopImmediatePropagation();
});
