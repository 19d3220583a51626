import { Typography } from '@mui/material';

/** What is said under a cell's main text, in place of further columns. */
export function More({ children }: { children: string }) {
  return (
    <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  );
}
