import { listTenants, type TenantRow } from '@gatehouse/contract/office/tenants';
import { tenantName } from '@gatehouse/contract/tenant-name';
import SearchIcon from '@mui/icons-material/Search';
import { Autocomplete, InputAdornment, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useRedirect } from 'react-admin';
import { call } from '#api/call.ts';
import { Money } from '#parts/format.tsx';

/** Few enough characters that a name is found by two keys. */
const LEAST_CHARACTERS = 2;

/**
 * Finds a tenant from every page by name, email, phone, unit, plate, receipt, number of a check or
 * the last four of a method; `/` puts the cursor here.
 */
export function Find() {
  const [text, setText] = useState('');
  const redirect = useRedirect();
  const input = useRef<HTMLInputElement>(null);
  const asked = useDeferredValue(text.trim());
  const isAsked = asked.length >= LEAST_CHARACTERS;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['find', asked],
    enabled: isAsked,
    queryFn: ({ signal }) =>
      call(listTenants, { query: { q: asked, limit: '10' } }, signal).then(({ rows }) => rows),
    placeholderData: (kept) => kept,
  });
  useFocusBySlash(input);
  return (
    <Autocomplete<TenantRow>
      options={isAsked ? (data ?? []) : []}
      filterOptions={(rows) => rows}
      getOptionLabel={tenantName}
      getOptionKey={({ id }) => id}
      inputValue={text}
      onInputChange={(_, next, reason) => reason !== 'reset' && setText(next)}
      value={null}
      onChange={(_, tenant) => {
        if (tenant === null) return;
        setText('');
        input.current?.blur();
        redirect('show', 'tenants', tenant.id);
      }}
      autoHighlight
      clearOnBlur={false}
      forcePopupIcon={false}
      blurOnSelect
      loading={isFetching}
      noOptionsText={
        isError
          ? 'The search failed. Please try again.'
          : isAsked
            ? 'No tenant fits.'
            : 'Type two characters or more.'
      }
      renderOption={({ key, ...props }, tenant) => (
        <li key={key} {...props}>
          <Stack sx={{ width: '100%' }}>
            <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2 }}>
              <span>{tenantName(tenant)}</span>
              <Money value={tenant.balance} isOwed />
            </Stack>
            <Typography
              variant="body2"
              color="text.secondary"
            >{`${tenant.locationCode} · ${unitsOf(tenant)} · ${tenant.email}`}</Typography>
          </Stack>
        </li>
      )}
      slotProps={{ popper: { sx: { minWidth: 320 } } }}
      sx={{ width: { xs: 130, sm: 200, md: 300 }, mx: 1 }}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={input}
          variant="outlined"
          size="small"
          margin="none"
          hiddenLabel
          placeholder="Find a tenant ( / )"
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, 'aria-label': 'Find a tenant' },
            input: {
              ...params.slotProps.input,
              startAdornment: (
                <InputAdornment position="start">
                  <SearchIcon fontSize="small" />
                </InputAdornment>
              ),
              sx: { bgcolor: 'background.paper', color: 'text.primary', height: 36 },
            },
          }}
        />
      )}
    />
  );
}

function unitsOf({ rentals }: TenantRow): string {
  const current = rentals.filter(({ movedOutOn }) => movedOutOn === null);
  return current.length === 0 ? 'no rental' : current.map(({ unitName }) => unitName).join(', ');
}

/** `/` outside of a field focuses the input. */
function useFocusBySlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function focus(event: KeyboardEvent) {
      const target = event.target as HTMLElement;
      const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
      // What is left of the last search is typed over.
      input.current?.select();
    }
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [input]);
}
