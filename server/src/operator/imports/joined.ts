import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { check } from './check.ts';
import { emailGiven } from './emails.ts';
import type { Staging } from './staging.ts';

/** Says of these addresses that one sign-in may see all who have them, as the column does. */
export async function joinListed(
  db: Database,
  staging: Staging,
  addresses: string[],
): Promise<void> {
  const columns = staging.columns.get('tenants');
  if (columns === undefined || addresses.length === 0) return;
  columns.add('joined');
  await sql`
    UPDATE staged_tenants s SET joined = true FROM unnest(${addresses}::text[]) AS listed (email)
    WHERE lower(s.email) = lower(listed.email)`.execute(db);
}

/** The firm that a staged tenant `s` is; one that no file names stays. */
const company = sql`coalesce(s.company, here.company)`;

/** As many other names are in the sentence. */
const MOST = 3;

/**
 * An address that a row gives to its record and that another name has, of the files or here: only
 * the operator knows whether one sign-in may see both.
 */
export const sharedAddress = check('tenants', 'email')`
  WITH people AS (
    SELECT s.facility, s.line, s.joined IS NULL
        AND (s.is_new OR lower(given.email) <> lower(here.email)) AS is_asked,
      lower(given.email) AS email, coalesce(${company}, s.first_name || ' ' || s.last_name) AS name,
      CASE WHEN ${company} IS NULL THEN search_key(s.first_name) ELSE '' END
        || ' ' || search_key(coalesce(${company}, s.last_name)) AS key
    FROM staged_tenants s ${emailGiven} WHERE s.is_sound
    UNION ALL
    SELECT k.facility, NULL, false, lower(t.email), t.name, t.first_key || ' ' || t.last_key
    FROM tenants t JOIN known_facilities k ON k.id = t.facility_id
    WHERE NOT EXISTS (SELECT FROM staged_tenants s WHERE s.row_id = t.id)
  ), shared AS (
    SELECT email, jsonb_object_agg(key, name) AS names FROM people GROUP BY email HAVING count(DISTINCT key) > 1
  )
  SELECT p.facility, p.line, 'is also that of ' || others.names
    || ': say yes in the column joined where one sign-in may see all of them (or --joined ' || p.email || '), else no' AS says
  FROM people p JOIN shared ON shared.email = p.email
  CROSS JOIN LATERAL (
    SELECT string_agg(name, ' and ' ORDER BY name) AS names FROM (
      SELECT left(value, 50) AS name FROM jsonb_each_text(shared.names - p.key) ORDER BY value LIMIT ${MOST}
    ) first_ones
  ) others
  WHERE p.is_asked`;

/**
 * A row that gives a record a name of which nothing is the same, and leaves it to the sign-in that
 * reaches it: it may be of another person by now.
 */
export const renamed = check('tenants', 'last_name')`
  SELECT s.facility, s.line, 'is of another name than ' || left(here.name, 50)
    || ', whose sign-in reaches this record: give the new tenant an own tenant_id, or say yes in the column joined where that sign-in may see it (or --joined '
    || s.email || ')' AS says
  FROM staged_tenants s ${emailGiven}
  WHERE s.is_sound AND s.joined IS NOT TRUE AND lower(given.email) = lower(here.email)
    AND NOT CASE WHEN ${company} IS NULL THEN ARRAY[search_key(s.first_name), search_key(s.last_name)]
      ELSE ARRAY[search_key(${company})] END && ARRAY[here.first_key, here.last_key, here.first_key || here.last_key]
    AND EXISTS (SELECT FROM user_tenants ut JOIN users u ON u.id = ut.user_id
      WHERE ut.tenant_id = here.id AND lower(u.email) = lower(here.email))`;
