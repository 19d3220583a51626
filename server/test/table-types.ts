import type { Insertable, Selectable } from 'kysely';
import type { Tables } from '#db/tables.ts';

/** What a row of each table is when read. */
export type Selected = { [T in keyof Tables]: Selectable<Tables[T]> };

/** What a row of each table is when written. */
export type Inserted = { [T in keyof Tables]: Insertable<Tables[T]> };
