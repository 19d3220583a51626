import { Box, Card, CardContent, Stack, Typography } from '@mui/material';
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

/** The rows of such a part. */
export function AccountRows({ children }: { children: ReactNode }) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, width: '100%' }}>
      {children}
    </Box>
  );
}

type RowProps = {
  title: string;
  /** A line each. */
  about: string[];
  /** Its buttons. */
  children: ReactNode;
};

export function AccountRow({ title, about, children }: RowProps) {
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ gap: 1, py: 1, flexWrap: 'wrap', justifyContent: 'space-between' }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography component="h3" sx={{ fontWeight: 650, overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        {about.map((line) => (
          <Typography
            key={line}
            variant="body2"
            color="text.secondary"
            sx={{ overflowWrap: 'anywhere' }}
          >
            {line}
          </Typography>
        ))}
      </Box>
      <Stack direction="row" sx={{ alignItems: 'flex-start' }}>
        {children}
      </Stack>
    </Stack>
  );
}
