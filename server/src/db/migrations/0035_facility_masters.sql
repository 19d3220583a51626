-- What staff change of a facility in the office: its name and address, and when gate and office are
-- open, in the one form that the contract writes (contract/src/gate-hours.ts).
ALTER TABLE facilities
  ADD COLUMN office_hours text,
  ADD COLUMN gate_hours text NOT NULL DEFAULT '6am - 10pm',
  ADD COLUMN gate_holidays text NOT NULL DEFAULT '';
COMMENT ON COLUMN facilities.gate_hours IS
  'of the schedule Business Hours, such as Mon-Fri 6am - 10pm, Sat-Sun 8am - 6pm';
COMMENT ON COLUMN facilities.gate_holidays IS
  'days with other hours, each year or in one: 12/25 closed, 11/26/2026 6am - 2pm';
GRANT UPDATE (name, street1, street2, city, region, postal_code, time_zone, office_hours,
  gate_hours, gate_holidays) ON facilities TO gatehouse_work;
