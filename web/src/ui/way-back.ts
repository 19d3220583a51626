/** Whether something holds the browser's way back, such as a dialog with typed text. */
export const wayBack = { isHeld: () => false };
