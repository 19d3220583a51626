import { chooseLanguage } from '@gatehouse/contract/account-language';
import type { Args } from '@gatehouse/contract/endpoint';
import {
  addPasskey,
  listPasskeys,
  passkeyOptions,
  removePasskey,
  renamePasskey,
} from '@gatehouse/contract/passkeys';
import { endSession, listSessions } from '@gatehouse/contract/sessions';
import type { Language } from '@gatehouse/language/language';
import { confirmed, mutation, query } from './base.ts';
import { call } from './call.ts';
import { mutationHook, queryHook } from './hooks.ts';

/** Of the sign-in and not of a tenant record; the spec's groups name none of them. */
export const passkeyCalls = {
  listPasskeys: query({
    name: 'listPasskeys',
    group: null,
    send: (_: 'all') => call(listPasskeys, {}),
  }),
  passkeyOptions: mutation({
    send: (_: 'new') => confirmed((begunIn) => call(passkeyOptions, {}, { begunIn })),
    invalidates: [],
  }),
  addPasskey: mutation({
    send: (body: Args<typeof addPasskey>['body']) =>
      confirmed((begunIn) => call(addPasskey, { body }, { begunIn })),
    invalidates: [],
  }),
  renamePasskey: mutation({
    send: ({ passkeyId, name }: { passkeyId: string; name: string }) =>
      confirmed((begunIn) =>
        call(renamePasskey, { params: { passkeyId }, body: { name } }, { begunIn }),
      ),
    invalidates: [],
  }),
  removePasskey: mutation({
    send: (passkeyId: string) =>
      confirmed((begunIn) => call(removePasskey, { params: { passkeyId } }, { begunIn })),
    invalidates: [],
  }),
  listSessions: query({
    name: 'listSessions',
    group: null,
    send: (_: 'all') => call(listSessions, {}),
  }),
  endSession: mutation({
    send: (sessionId: string) => call(endSession, { params: { sessionId } }),
    invalidates: [],
  }),
  chooseLanguage: mutation({
    send: (language: Language) => call(chooseLanguage, { body: { language } }),
    invalidates: [],
  }),
};

export const useListPasskeysQuery = queryHook(passkeyCalls.listPasskeys);
export const usePasskeyOptionsMutation = mutationHook(passkeyCalls.passkeyOptions);
export const useAddPasskeyMutation = mutationHook(passkeyCalls.addPasskey);
export const useRenamePasskeyMutation = mutationHook(passkeyCalls.renamePasskey);
export const useRemovePasskeyMutation = mutationHook(passkeyCalls.removePasskey);
export const useListSessionsQuery = queryHook(passkeyCalls.listSessions);
export const useEndSessionMutation = mutationHook(passkeyCalls.endSession);
export const useChooseLanguageMutation = mutationHook(passkeyCalls.chooseLanguage);
