-- A run goes on when the database is back after a crash, and an emptied list would make every payment a difference.
ALTER TABLE gateway_lines SET LOGGED;
