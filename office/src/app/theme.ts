import { defaultTheme, type RaThemeOptions } from 'react-admin';
import { HelperText } from './helper-text.tsx';
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

/** Windows high contrast drops shadows and backgrounds: edges, and what is selected, say it. */
const forcedColors = `
  @media (forced-colors: active) {
    .MuiDialog-paper, .MuiPopover-paper, .MuiDrawer-paper, .MuiSnackbarContent-root, .MuiAlert-root, .MuiChip-root {
      border: 2px solid CanvasText;
    }
    .MuiButton-contained { border: 1px solid ButtonBorder; }
    .Mui-selected, .RaMenuItemLink-active, .MuiTabs-indicator {
      forced-color-adjust: none;
      background: Highlight !important;
      color: HighlightText !important;
    }
  }`;

/** Tone on its soft background, as in the portal. */
function alertColors(isDark: boolean) {
  return {
    '&.MuiAlert-colorInfo': { color: 'var(--brand)', backgroundColor: 'var(--brand-soft)' },
    '&.MuiAlert-colorError': isDark
      ? { color: 'oklch(0.815 0.11 24)', backgroundColor: 'oklch(0.295 0.06 22)' }
      : { color: 'oklch(0.445 0.175 27)', backgroundColor: 'oklch(0.964 0.018 22)' },
    '&.MuiAlert-colorWarning': isDark
      ? { color: 'oklch(0.85 0.115 80)', backgroundColor: 'oklch(0.305 0.045 75)' }
      : { color: 'oklch(0.45 0.095 65)', backgroundColor: 'oklch(0.962 0.045 85)' },
    '&.MuiAlert-colorSuccess': isDark
      ? { color: 'oklch(0.82 0.125 155)', backgroundColor: 'oklch(0.295 0.045 158)' }
      : { color: 'oklch(0.42 0.105 155)', backgroundColor: 'oklch(0.955 0.035 155)' },
    // The colour of the tone, which the words have.
    '& .MuiAlert-icon': { color: 'inherit' },
  };
}

/**
 * The office wears the brand's colours (web/src/brand/brand.css) in both schemes: the variables
 * change with the scheme, and the palette names them.
 */
function themeOf(mode: 'light' | 'dark'): RaThemeOptions {
  const isDark = mode === 'dark';
  return {
    ...defaultTheme,
    cssVariables: { nativeColor: true },
    // The library's default ignores `prefers-reduced-motion`.
    motion: { reducedMotion: 'system' },
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
      // The library's own are nearly black in dark.
      MuiAlert: { styleOverrides: { standard: alertColors(isDark) } },
      MuiFormHelperText: { defaultProps: { component: HelperText } },
      MuiCssBaseline: { styleOverrides: forcedColors },
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
