-- A tenant's statement names the units of its month; the policies of ledgers and past_units hold for the view as well.
GRANT SELECT ON unit_days TO gatehouse_app;
