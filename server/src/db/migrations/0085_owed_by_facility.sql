-- All rows have them now.
DROP PROCEDURE reckon_all_for_office;
ALTER TABLE owed_charges ALTER COLUMN facility_id SET NOT NULL, ALTER COLUMN due_on SET NOT NULL,
  ALTER COLUMN is_rent SET NOT NULL;
ALTER POLICY office ON owed_charges
  USING ((SELECT office_is_all()) OR facility_id = ANY ((SELECT office_facilities())::uuid[]));
