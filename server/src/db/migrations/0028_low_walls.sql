-- A payment by a link counts its decline to the link, which a payment in the portal looks at too.
ALTER TABLE pay_link_payments FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON pay_link_payments FOR SELECT TO gatehouse_app
  USING (EXISTS (SELECT FROM payment_intents i WHERE i.id = intent_id));
GRANT SELECT (intent_id, pay_link_id) ON pay_link_payments TO gatehouse_app;
