/**
 * The one local storage key, and all that is ever kept there. Apart, because the HTML's own script
 * reads it.
 */
export const STORAGE_KEY = 'gatehouse';
