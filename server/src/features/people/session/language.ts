import { language, type Language } from '@gatehouse/language/language';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Caller } from '#http/guard.ts';

/** Chooses the language of the caller's account, from then on in every browser. */
export async function chooseLanguageOf(
  { db }: Context,
  { userId }: Caller,
  chosen: Language,
): Promise<{ language: Language }> {
  await db
    .updateTable('users')
    .set({ language: chosen, language_chosen: true })
    .where('id', '=', userId)
    .execute();
  return { language: chosen };
}

/** Gives an account without a language that of the call. */
export async function chooseFirstLanguage(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ language: language() })
    .where('id', '=', userId)
    .where('language', 'is', null)
    .execute();
}
