import { sql } from 'kysely';
import { COMMAND } from '#config/command.ts';
import { asciiTypeSentence, findAsciiType } from '#db/database.ts';
import { fault, ok, warning, type Check } from './finding.ts';
import type { Live } from './live.ts';

/** A backup a day, and two hours for it to be made. */
const BACKUP_SECONDS = 26 * 3600;
const OLD_BACKUP_SECONDS = 7 * 24 * 3600;

/** Letters outside of ASCII are found in any spelling. */
export const characters: Check<Live> = {
  subject: 'characters',
  async run({ prepared }) {
    const db = await prepared();
    if (db === null) return [];
    const asciiType = await findAsciiType(db);
    return [
      asciiType === null
        ? ok('The database knows all letters.')
        : fault(asciiTypeSentence(asciiType), 'Restore a backup into a new database of that kind.'),
    ];
  },
};

export const operator: Check<Live> = {
  subject: 'operator',
  async run({ config, prepared }) {
    const db = await prepared();
    if (db === null) return [];
    const corporation = await db
      .selectFrom('corporations')
      .select(['id', 'name'])
      .where('code', '=', config.corporationCode)
      .executeTakeFirst();
    if (corporation === undefined)
      return [
        fault(
          `There is no operator ${config.corporationCode} in the database.`,
          'Import your data (docs/import.md), or set CORPORATION_CODE to the code that it was imported under.',
        ),
      ];
    const { count } = await db
      .selectFrom('facilities')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('corporation_id', '=', corporation.id)
      .executeTakeFirstOrThrow();
    if (count === 0)
      return [
        fault(
          `${corporation.name} has no facility yet: nobody can rent or sign up.`,
          'Import your data (docs/import.md).',
        ),
      ];
    const mute = await db
      .selectFrom('facilities')
      .select('location_code')
      .where((where) => where.or([where('email', 'is', null), where('phone', 'is', null)]))
      .orderBy('location_code')
      .execute();
    if (mute.length > 0)
      return [
        warning(
          `${mute.length} facilities have no mail address or no phone, the first ${mute[0]!.location_code}.`,
          'Give them both: tenants are asked to call, and messages to staff go to the address.',
        ),
      ];
    return [ok(`${corporation.name} (${config.corporationCode}).`)];
  },
};

/** At least one owner must be able to sign in. */
export const owner: Check<Live> = {
  subject: 'owner',
  async run({ config, prepared }) {
    const db = await prepared();
    if (db === null) return [];
    const { rows } = await sql<{ active: number; invited: number }>`
      SELECT count(*) FILTER (WHERE m.password_hash IS NOT NULL)::int AS active,
        count(*) FILTER (WHERE m.password_hash IS NULL)::int AS invited
      FROM staff_members m JOIN corporations c ON c.id = m.corporation_id AND c.code = ${config.corporationCode}
      WHERE m.role = 'owner' AND m.disabled_at IS NULL`.execute(db);
    const { active, invited } = rows[0]!;
    if (active > 0) return [ok(`Owners who can sign in to the office: ${active}.`)];
    if (invited > 0)
      return [
        warning(
          'An owner is invited and has not accepted yet.',
          `Open the link of the mail; ${COMMAND} staff reinvite EMAIL mails another.`,
        ),
      ];
    return [
      (config.profile === 'live' ? fault : warning)(
        'No owner can sign in to the office.',
        `${COMMAND} staff invite EMAIL --role owner.`,
      ),
    ];
  },
};

export const backups: Check<Live> = {
  subject: 'backups',
  async run({ config, prepared }) {
    const db = await prepared();
    if (db === null) return [];
    const { rows } = await sql<{
      age: number | null;
      place: string | null;
      archiving: string;
      archived: number | null;
      isStuck: boolean;
    }>`
      SELECT extract(epoch FROM now() - b.made_at)::float AS age, b.place, current_setting('archive_mode') AS archiving,
        extract(epoch FROM now() - a.last_archived_time)::float AS archived,
        coalesce(a.last_failed_time > a.last_archived_time, a.last_failed_time IS NOT NULL) AS "isStuck"
      FROM pg_stat_archiver a LEFT JOIN (SELECT made_at, place FROM backups ORDER BY made_at DESC LIMIT 1) b ON true`.execute(
      db,
    );
    const { age, place, archiving, archived, isStuck } = rows[0]!;
    const isLive = config.profile === 'live';
    const found = [];
    if (archiving !== 'off')
      found.push(
        isStuck
          ? fault(
              'The archive of the log (WAL) does not take what it is given.',
              'See archive_command and its log.',
            )
          : ok(
              `The log (WAL) is archived${archived === null ? '' : `, last ${Math.round(archived)} s ago`}.`,
            ),
      );
    const todo = `${COMMAND} backup <folder>, and see why the timer does not make one (docs/operations.md, “Backup”).`;
    if (age === null)
      found.push((isLive ? fault : ok)('None was ever made of this database.', todo));
    else {
      const says = `The last was made ${(age / 3600).toFixed(1)} hours ago, in ${place ?? ''}.`;
      if (!isLive || age < BACKUP_SECONDS) found.push(ok(says));
      else found.push((age > OLD_BACKUP_SECONDS ? fault : warning)(says, todo));
    }
    return found;
  },
};
