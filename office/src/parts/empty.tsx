import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';

/** What a list shows that has no rows. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ p: 4, textAlign: 'center' }}>
      <Typography color="text.secondary">{children}</Typography>
    </Box>
  );
}
