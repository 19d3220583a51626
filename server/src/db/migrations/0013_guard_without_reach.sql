-- The guard's question is a plain statement of the server (http/guard.ts), and a reach ends with its
-- transaction (db/driver.ts).
DROP FUNCTION take_reach;
