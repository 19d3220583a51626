import { configureStore } from '@reduxjs/toolkit';
import { api } from '#api/base.ts';

/**
 * The store of one signed-in visitor: the cache of server data and nothing else. Dev tools never
 * see card fields (C8).
 */
export function createStore() {
  return configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (withDefaults) => withDefaults().concat(api.middleware),
    devTools: false,
  });
}
