import { QueryClientProvider, skipToken, type SkipToken } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';

vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
const { createCache, optionsOf, query } = await import('./base.ts');
const { queryHook } = await import('./hooks.ts');

const greeting = query({
  name: 'greeting',
  group: null,
  send: (name: string) => Promise.resolve(`Good day, ${name}`),
});
const useGreeting = queryHook(greeting);

function Greeting({ name }: { name: string | SkipToken }) {
  const { data = 'nothing', error, isFetching, isLoading } = useGreeting(name);
  return [data, isFetching && 'fetching', isLoading && 'loading', error !== undefined && 'failed']
    .filter(Boolean)
    .join(', ');
}

it('renders the HTML, and so what is hydrated, as before any answer', async () => {
  const cache = createCache();
  await cache.query(optionsOf(greeting, 'Dana'));
  const render = (name: string | SkipToken) =>
    renderToString(
      <QueryClientProvider client={cache}>
        <Greeting name={name} />
      </QueryClientProvider>,
    );
  expect(render('Dana')).toBe('nothing, fetching, loading');
  expect(render('Sam')).toBe('nothing, fetching, loading');
  expect(render(skipToken)).toBe('nothing');
  cache.clear();
});
