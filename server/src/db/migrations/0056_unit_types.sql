-- Staff rename a type of units.
GRANT UPDATE (type_name) ON units TO gatehouse_work;
