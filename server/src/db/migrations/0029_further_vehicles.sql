-- A rental stores one or several vehicles and vessels. The first is the one of unit_contents and
-- vehicles, as the specification has it and the version before reads it: one row a rental.

ALTER TABLE vehicles ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
COMMENT ON TABLE vehicles IS
  'the first vehicle or vessel of a rental; its kind and number are in unit_contents';
COMMENT ON COLUMN vehicles.id IS 'by which the tenant removes it; where a further one takes its
  place, the id of that';

-- The others of a rental.
CREATE TABLE further_vehicles (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ledger_id uuid NOT NULL REFERENCES ledgers,
  contents text NOT NULL CHECK (contents ~ '^(vehicle|boat):.'),
  license_plate text NOT NULL,
  description text NOT NULL,
  plate_key text NOT NULL GENERATED ALWAYS AS (search_key(license_plate)) STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (ledger_id, id),
  -- What is added twice is one.
  UNIQUE (ledger_id, contents)
);
COMMENT ON TABLE further_vehicles IS
  'vehicles and vessels of a rental besides its first, which is in unit_contents and vehicles';
COMMENT ON COLUMN further_vehicles.contents IS 'kind and number, as unit_contents has them';
COMMENT ON COLUMN further_vehicles.plate_key IS 'search_key() of the plate';
CREATE INDEX further_vehicles_by_plate ON further_vehicles (right(plate_key, 4));
ALTER TABLE further_vehicles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON further_vehicles TO gatehouse_app
  USING (ledger_id = ANY ((SELECT own_ledgers())::uuid[]));
CREATE POLICY work ON further_vehicles TO gatehouse_work USING (true);
CREATE POLICY office ON further_vehicles FOR SELECT TO gatehouse_office
  USING ((SELECT office_is_all())
    OR EXISTS (SELECT FROM office_ledgers reach WHERE reach.id = ledger_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON further_vehicles TO gatehouse_app;
GRANT SELECT ON further_vehicles TO gatehouse_office;
-- The first of a rental goes where no further one takes its place.
GRANT DELETE ON vehicles TO gatehouse_app;

-- All of a rental: `further_id` is null of the first.
CREATE VIEW rental_vehicles WITH (security_invoker = true) AS
  SELECT id, ledger_id, NULL::uuid AS further_id, license_plate, description, plate_key
  FROM vehicles
  UNION ALL
  SELECT id, ledger_id, id, license_plate, description, plate_key FROM further_vehicles;
GRANT SELECT ON rental_vehicles TO gatehouse_app, gatehouse_office;

-- The vehicle is one of the same rental.
ALTER TABLE vehicle_papers ADD COLUMN vehicle_id uuid,
  ADD FOREIGN KEY (ledger_id, vehicle_id) REFERENCES further_vehicles (ledger_id, id)
    ON DELETE SET NULL (vehicle_id);
COMMENT ON COLUMN vehicle_papers.vehicle_id IS
  'of which of further_vehicles; null of the first, and of a replaced one whose vehicle was removed';
CREATE UNIQUE INDEX vehicle_papers_on_file
  ON vehicle_papers (ledger_id, vehicle_id, kind) NULLS NOT DISTINCT WHERE replaced_at IS NULL;
DROP INDEX vehicle_papers_ledger_id_kind_idx;
CREATE INDEX ON vehicle_papers (vehicle_id) WHERE vehicle_id IS NOT NULL;
GRANT UPDATE (vehicle_id) ON vehicle_papers TO gatehouse_app;
GRANT SELECT (vehicle_id) ON vehicle_papers TO gatehouse_office;
