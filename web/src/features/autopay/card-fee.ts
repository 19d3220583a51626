/** Said wherever the facility has a card fee (spec section 9). */
export const CARD_FEE_NOTICE = 'Using a credit or debit card incurs a recurring rent fee.';
