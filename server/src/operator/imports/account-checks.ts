import { check } from './check.ts';

export const methodOfOthers = check('gatewayTokens', 'payment_method_id')`
  SELECT s.facility, s.line, 'is there already, of another tenant or type' AS says
  FROM staged_gateway_tokens s
  JOIN known_ids t ON t.kind = 'tenant' AND t.facility = s.facility AND t.id = s.tenant_id
  JOIN payment_methods m ON m.id = s.row_id
  WHERE NOT s.is_new AND (m.tenant_id, m.type) <> (t.row_id, s.type)`;

const SAVED_UNDER =
  'is not the number that the tenant has here, under which saved methods and open payments are';

/** The gateway finds methods and payments under the number that they were made with. */
export const customerOfOthers = check('gatewayTokens', 'customer')`
  SELECT s.facility, s.line, ${SAVED_UNDER}::text AS says
  FROM staged_gateway_tokens s
  JOIN known_ids t ON t.kind = 'tenant' AND t.facility = s.facility AND t.id = s.tenant_id
  JOIN gateway_customers c ON c.tenant_id = t.row_id WHERE c.customer <> s.customer`;

export const customersOfOne = check('gatewayTokens', 'customer')`
  SELECT facility, line, 'is another than in line ' || first || ', and a tenant has one' AS says FROM (
    SELECT facility, line, customer, first_value(line) OVER named AS first, first_value(customer) OVER named AS earlier
    FROM staged_gateway_tokens WHERE customer IS NOT NULL WINDOW named AS (PARTITION BY facility, tenant_id ORDER BY line)
  ) s WHERE customer <> earlier`;

export const planBeside = check('insurance', 'ledger_id')`
  SELECT s.facility, s.line, 'has another protection plan here already' AS says
  FROM staged_insurance s
  JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
  JOIN ledger_protection_plans p ON p.ledger_id = l.row_id AND p.ends_on IS NULL AND p.id <> s.row_id
  WHERE s.kind = 'plan' AND s.ends_on IS NULL
    AND NOT EXISTS (SELECT FROM staged_insurance other WHERE other.row_id = p.id AND other.ends_on IS NOT NULL)
    AND NOT EXISTS (SELECT FROM ledger_protection_plans ended WHERE ended.id = s.row_id AND ended.ends_on IS NOT NULL)`;

export const autopayOfOthers = check('autopay', 'payment_method_id')`
  SELECT s.facility, s.line, 'is of another tenant than the rental' AS says
  FROM staged_autopay s
  JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
  JOIN known_ids m ON m.kind = 'payment_method' AND m.facility = s.facility AND m.id = s.payment_method_id
  LEFT JOIN staged_ledgers sl ON sl.row_id = l.row_id
  LEFT JOIN known_ids st ON st.kind = 'tenant' AND st.facility = sl.facility AND st.id = sl.tenant_id
  LEFT JOIN ledgers dl ON dl.id = l.row_id
  LEFT JOIN staged_gateway_tokens sm ON sm.row_id = m.row_id
  LEFT JOIN known_ids mt ON mt.kind = 'tenant' AND mt.facility = sm.facility AND mt.id = sm.tenant_id
  LEFT JOIN payment_methods dm ON dm.id = m.row_id
  WHERE coalesce(st.row_id, dl.tenant_id) <> coalesce(mt.row_id, dm.tenant_id)`;
