-- What staff keep of a tenant: whether more is rented to them, what exempts them from taxes, tags.
ALTER TABLE tenants
  ADD COLUMN is_military boolean NOT NULL DEFAULT false,
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN do_not_rent text CHECK (length(do_not_rent) BETWEEN 1 AND 500),
  ADD COLUMN tax_exempt_paper text CHECK (length(tax_exempt_paper) BETWEEN 1 AND 100);
COMMENT ON COLUMN tenants.do_not_rent IS 'why nothing more is rented to them; null where it may be';
COMMENT ON COLUMN tenants.tax_exempt_paper IS
  'number of the certificate by which new rentals are not taxed; null where they are';
COMMENT ON COLUMN tenants.tags IS 'words of staff; the tenant never sees them';
GRANT SELECT (is_military, tags, do_not_rent, tax_exempt_paper) ON tenants TO gatehouse_office;
GRANT UPDATE (is_military, tags, do_not_rent, tax_exempt_paper) ON tenants TO gatehouse_work;
