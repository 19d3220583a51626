-- What is left of a payment says whether it may be taken back again: an import may have taken a part back as a mistake before.
DROP INDEX one_reversal_at_the_counter;
