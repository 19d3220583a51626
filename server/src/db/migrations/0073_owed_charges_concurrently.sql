-- Outside of a transaction, so that it commits after each batch of ledgers.
CALL reckon_all_owed_charges();
