import { Card, CardContent, Stack, Typography } from '@mui/material';
import type { ReactNode, Ref } from 'react';

type Props = {
  id: string;
  title: string;
  /** For the focus, where the button of a row that is gone had it. */
  card: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** A part of the member's account with a list of rows, which can be focused by script. */
export function AccountCard({ id, title, card, children }: Props) {
  return (
    <Card
      variant="outlined"
      component="section"
      aria-labelledby={id}
      ref={card}
      tabIndex={-1}
      sx={{ outline: 'none' }}
    >
      <CardContent>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Typography id={id} variant="h6" component="h2">
            {title}
          </Typography>
          {children}
        </Stack>
      </CardContent>
    </Card>
  );
}
