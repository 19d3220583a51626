import { Card, CardContent, Typography } from '@mui/material';
import type { ReactNode } from 'react';

/** A part of a page in a frame; `label` names it where its heading is not enough. */
export function Section({
  title,
  label = title,
  children,
}: {
  title: string;
  label?: string;
  children: ReactNode;
}) {
  return (
    <Card variant="outlined" component="section" aria-label={label}>
      <CardContent>
        <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
          {title}
        </Typography>
        {children}
      </CardContent>
    </Card>
  );
}
