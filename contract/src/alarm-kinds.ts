/**
 * Every kind of alarm in words, with what to do about it. `isOnce`: its key names something that
 * happened, so it is raised once and stays closed; any other kind names a state, and is raised
 * again where that state is found after it was closed.
 */
export const alarmKinds = {
  access_probing: {
    title: 'Access probing',
    isOnce: true,
    advice:
      'See the audit trail of the user (Audit in the office); users disable ends the sign-in.',
  },
  autopay_failed: {
    title: 'Autopay failed',
    isOnce: false,
    advice: 'Read the log; the next run tries again. Charge the rental by hand if not.',
  },
  bank_debits_off: {
    title: 'Bank debits are off',
    isOnce: true,
    advice: 'Switch bank debits on in the gateway’s dashboard.',
  },
  billing_discount_plan: {
    title: 'Billing with a discount plan that ended',
    isOnce: true,
    advice:
      'End the discount plan on these rentals or renew it; then post what is missing by charges add.',
  },
  billing_failed: {
    title: 'Billing failed',
    isOnce: false,
    advice: 'Read the log and put the rental right; the next run bills it.',
  },
  billing_protection_plan: {
    title: 'Billing with a protection plan that ended',
    isOnce: true,
    advice:
      'Renew the protection plan or end it on these rentals; then post what is missing by charges add.',
  },
  books_check_failed: {
    title: 'Check of the books failed',
    isOnce: false,
    advice: 'Read the log; the check runs again the next night.',
  },
  books_fault: {
    title: 'Check of the books',
    isOnce: false,
    advice:
      'Correct the ledger by a credit, charge or reversal; autopay stays off on it until the alarm is closed.',
  },
  card_dispute: {
    title: 'Dispute of a card payment',
    isOnce: true,
    advice: 'Answer the dispute in the gateway’s dashboard before its day.',
  },
  card_inquiry: {
    title: 'Inquiry about a card payment',
    isOnce: true,
    advice: 'Answer the inquiry in the gateway’s dashboard before it becomes a dispute.',
  },
  chargeback_exceeds: {
    title: 'Chargeback above the dispute',
    isOnce: true,
    advice:
      'Give what was charged back by hand beyond the dispute back by credits add, and if the dispute is won the rest as well.',
  },
  decline_rate: {
    title: 'Many declined payments',
    isOnce: true,
    advice: 'Look for one tenant or network with many declines; users disable ends a sign-in.',
  },
  dispute_changed: {
    title: 'Dispute changed',
    isOnce: true,
    advice: 'Compare the dispute in the gateway’s dashboard with the ledger’s entries.',
  },
  dispute_exceeds: {
    title: 'Dispute above the payment',
    isOnce: true,
    advice:
      'More is disputed than the payment was: compare both sides, and post the rest by charges add.',
  },
  dispute_lost: {
    title: 'Dispute lost',
    isOnce: true,
    advice: 'Ask the tenant for what is owed again, or waive it.',
  },
  dispute_unposted: {
    title: 'Dispute not posted',
    isOnce: true,
    advice:
      'Charge the tenant nothing for it; reverse the credit that was posted for the charge, if any.',
  },
  dispute_won: {
    title: 'Dispute won',
    isOnce: true,
    advice: 'The payment stands again: waive what was charged by hand for the rest, if anything.',
  },
  facility_day_failed: {
    title: 'Work of the day failed',
    isOnce: false,
    advice: 'Read the log; the step is tried again every five minutes.',
  },
  gate_behind: {
    title: 'Gate',
    isOnce: false,
    advice:
      'See whether the gate’s controller is reachable and takes the server’s secret, and open by hand until then.',
  },
  gate_code_sealed: {
    title: 'Gate code that cannot be read',
    isOnce: false,
    advice:
      'Give the server the key that sealed the code (DATA_KEYS), or give the rental a new code.',
  },
  gate_differs: {
    title: 'Gate changed by hand',
    isOnce: true,
    advice: 'Ask who changed the units at the gate; they are as the server has them now.',
  },
  gateway_call_refused: {
    title: 'Call refused by the gateway',
    isOnce: true,
    advice: 'Read the log: the gateway does not take the server’s calls as they are.',
  },
  gateway_events_unhandled: {
    title: 'Events of the gateway',
    isOnce: false,
    advice: 'Read the log; the events are tried again every hour.',
  },
  gateway_key_refused: {
    title: 'Key refused by the gateway',
    isOnce: true,
    advice: 'Give the server a key that the gateway knows (docs/operations.md).',
  },
  mail_flood: {
    title: 'Flood of mails',
    isOnce: true,
    advice:
      'Look for who causes them (Requests and Audit in the office); users disable ends a sign-in. Where it is no attack, raise the limit (LIMITS).',
  },
  mail_server_fails: {
    title: 'Mail server',
    isOnce: false,
    advice:
      'Run doctor --send-mail-to and put SMTP_URL, MAIL_FROM or the account at the mail provider right; mails are tried for a week, and go out by themselves then.',
  },
  mail_undeliverable: {
    title: 'Mail to tenants',
    isOnce: false,
    advice:
      'Ask the tenant, by phone, for an address that takes mail, and change it at the tenant; what was not delivered is listed there under Mails.',
  },
  mails_given_up: {
    title: 'Mails that were not sent',
    isOnce: false,
    advice:
      'Read the log for why, and run doctor --send-mail-to; the mails to a tenant that were not sent are listed at the tenant under Mails.',
  },
  move_out_credit: {
    title: 'Credit after a move-out',
    isOnce: true,
    advice: 'Pay it out by credits pay-out, or move it to another unit by credits move.',
  },
  move_out_waiting: {
    title: 'Move-out that waits',
    isOnce: true,
    advice:
      'A bank debit that the gateway declined or does not have is reversed as a mistake, by payments reverse --reason mistake; a payment, refund or bill has an alarm of its own.',
  },
  outside_refund: {
    title: 'Refund made at the gateway',
    isOnce: true,
    advice: 'Ask who refunded it and why; use payments refund the next time.',
  },
  outside_refund_exceeds: {
    title: 'Refund at the gateway above the payment',
    isOnce: true,
    advice:
      'Compare the payment in the gateway’s dashboard with the ledger, and post the rest by charges add.',
  },
  outside_refund_unposted: {
    title: 'Refund at the gateway not posted',
    isOnce: true,
    advice:
      'Charge the tenant nothing for it; reverse the credit that was posted for the charge, if any.',
  },
  payment_unknown: {
    title: 'Payment without an answer',
    isOnce: true,
    advice: 'Look the payment up in the gateway’s dashboard; reconcile asks again.',
  },
  rate_change_without_notice: {
    title: 'Rent change without its notice',
    isOnce: true,
    advice: 'Schedule the change anew, late enough for its notice.',
  },
  reconciliation_difference: {
    title: 'Comparison with the gateway',
    isOnce: true,
    advice: 'See docs/operations.md for each class of difference.',
  },
  reconciliation_failed: {
    title: 'Comparison with the gateway failed',
    isOnce: true,
    advice: 'Read the log; it is tried again, and reconcile does it at once.',
  },
  refund_failed: {
    title: 'Refund failed',
    isOnce: true,
    advice: 'Pay the tenant back in another way: the ledger has the refund.',
  },
  refund_refused: {
    title: 'Refund refused',
    isOnce: true,
    advice: 'Pay it back in another way: the money is still on the ledger.',
  },
  refund_unknown: {
    title: 'Refund without an answer',
    isOnce: true,
    advice: 'Look the refund up in the gateway’s dashboard; it is asked for again.',
  },
  reports_fault: {
    title: 'Check of the reports',
    isOnce: false,
    advice:
      'Import the rent of days that no bill has, at a price of 0 where none is owed. Set anything else that the sentence names to what the books say, in the database as the owner of the tables.',
  },
  returned_after_refund: {
    title: 'Return after a refund',
    isOnce: true,
    advice:
      'The ledger has it: ask the tenant for what he got twice, or, of a credit that was moved, see whether it should go back.',
  },
  unexpected_charge: {
    title: 'Charge that was not expected',
    isOnce: true,
    advice: 'Refund the charge in the gateway’s dashboard, or post it as a credit.',
  },
  unknown_payment: {
    title: 'Payment at the gateway that is not ours',
    isOnce: true,
    advice: 'Find the payment in the gateway’s dashboard; whoever made it books it.',
  },
  unknown_refund: {
    title: 'Refund at the gateway that is not ours',
    isOnce: true,
    advice: 'Find the refund in the gateway’s dashboard, and what payment it is of.',
  },
  unknown_return: {
    title: 'Return of a payment that is not ours',
    isOnce: true,
    advice: 'Find the payment in the gateway’s dashboard, and take it back by hand.',
  },
  sign_in_failures: {
    title: 'Failed sign-ins',
    isOnce: true,
    advice:
      'See where they come from (Audit in the office) and block that network at the proxy; tenants’ accounts are limited by themselves.',
  },
  staff_mail_undeliverable: {
    title: 'Mail to staff',
    isOnce: false,
    advice:
      'Correct the address that gets mails of this kind: the recipients, the facility’s settings, the account of staff or OPERATOR_EMAIL.',
  },
  text_provider_fails: {
    title: 'Provider of text messages',
    isOnce: false,
    advice:
      'Run doctor and put the account, its token or the number at the provider right; reminders of a day that ends without texts are not sent.',
  },
  unknown_zone: {
    title: 'Time zone of a facility',
    isOnce: false,
    advice: 'Give the facility an IANA time zone, such as America/Chicago.',
  },
  webhook_dead: {
    title: 'Webhook given up',
    isOnce: true,
    advice: 'Mend the receiver of the webhook; then requests replay sends what is missing.',
  },
  webhook_refuses: {
    title: 'Webhook refused',
    isOnce: false,
    advice:
      'Compare the webhook’s address and secret with those of its receiver; what is missing goes out by itself within a day, and later by requests replay --dead.',
  },
  wrong_amount: {
    title: 'Payment with a wrong amount',
    isOnce: true,
    advice: 'Compare the payment in the gateway’s dashboard with its receipt.',
  },
} as const satisfies Record<string, { title: string; isOnce: boolean; advice: string }>;

export type AlarmKind = keyof typeof alarmKinds;
