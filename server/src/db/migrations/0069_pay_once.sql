-- Whether tenants may pay what is due without switching autopay on.
ALTER TABLE facilities ADD COLUMN pay_once boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN facilities.pay_once IS 'whether tenants may pay without switching autopay on';
