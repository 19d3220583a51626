/**
 * The one local storage key, and all that is ever kept there (safety C4). Apart, because the HTML's
 * own script reads it.
 */
export const STORAGE_KEY = 'gatehouse';
