import { defaultTheme, type RaThemeOptions } from 'react-admin';
import { rowKeys } from './row-keys.ts';

type Labelled = { 'aria-label'?: string };

/**
 * The label of a checkbox on what is checked: react-admin gives that of a row to the span around
 * it, where it names nothing.
 */
const labelOnInput = {
  root: ({ 'aria-label': label }: Labelled) =>
    label === undefined ? {} : { 'aria-label': undefined },
  input: ({ 'aria-label': label }: Labelled) =>
    label === undefined ? {} : { 'aria-label': label },
};

/**
 * The office wears the brand's colours (web/src/brand/brand.css) in both schemes: the variables
 * change with the scheme, and the palette names them.
 */
function themeOf(mode: 'light' | 'dark'): RaThemeOptions {
  const isDark = mode === 'dark';
  return {
    ...defaultTheme,
    cssVariables: { nativeColor: true },
    sidebar: { width: 200, closedWidth: 56 },
    palette: {
      mode,
      // Not the colour of filled buttons: it is the text of links and of all other buttons too.
      primary: { main: 'var(--brand)', contrastText: 'var(--brand-ink)' },
      secondary: { main: 'var(--brand)', contrastText: 'var(--brand-ink)' },
      background: isDark
        ? { default: 'oklch(0.185 0.016 250)', paper: 'oklch(0.232 0.019 250)' }
        : { default: 'oklch(0.974 0.005 245)', paper: 'oklch(1 0 0)' },
      text: isDark
        ? { primary: 'oklch(0.95 0.006 245)', secondary: 'oklch(0.77 0.016 245)' }
        : { primary: 'oklch(0.235 0.022 250)', secondary: 'oklch(0.44 0.022 250)' },
      error: { main: isDark ? 'oklch(0.815 0.11 24)' : 'oklch(0.445 0.175 27)' },
      warning: { main: isDark ? 'oklch(0.85 0.115 80)' : 'oklch(0.45 0.095 65)' },
      success: { main: isDark ? 'oklch(0.82 0.125 155)' : 'oklch(0.42 0.105 155)' },
      divider: isDark ? 'oklch(0.335 0.022 250)' : 'oklch(0.905 0.009 245)',
    },
    components: {
      ...defaultTheme.components,
      RaDataTableRow: { defaultProps: rowKeys },
      // Over the filters while rows are selected: what is below must not show through.
      RaBulkActionsToolbar: {
        styleOverrides: {
          root: { '& .RaBulkActionsToolbar-toolbar': { backgroundColor: 'var(--brand-soft)' } },
        },
      },
      MuiCheckbox: { defaultProps: { slotProps: labelOnInput } },
    },
    shape: { borderRadius: 8 },
    typography: {
      fontFamily:
        "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif",
      fontSize: 14,
      button: { textTransform: 'none', fontWeight: 500 },
    },
  };
}

export const lightTheme = themeOf('light');
export const darkTheme = themeOf('dark');
