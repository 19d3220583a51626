-- What staff do at the counter: a payment that bounced or was recorded by mistake is taken back once.
CREATE UNIQUE INDEX one_reversal_at_the_counter ON reversals (payment_entry_id) WHERE reason IN ('nsf', 'mistake');
