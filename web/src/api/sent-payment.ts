let words: string | null = null;

/**
 * Notes what became of the payment that was sent last, as a sentence for an error page that takes
 * its place; null where nothing was paid, the tenant has read it, or has gone to another place. It
 * is no component's state: that would go with the page that failed.
 */
export function notePayment(sentence: string | null): void {
  words = sentence;
}

export function notedPayment(): string | null {
  return words;
}
