import { action } from './email.ts';

/** The button of a mail to staff that is about no page in particular. */
export const OPEN_OFFICE = action('Open the office', '/office/');
