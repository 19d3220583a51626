import { InputAdornment } from '@mui/material';
import { TextInput, type TextInputProps } from 'react-admin';
import { amountFault } from './amount.ts';
import { typedText } from './form-reader.ts';

type Props = Omit<TextInputProps, 'validate'> & { isOptional?: boolean; mayBeZero?: boolean };

/** Dollars, typed as text and parsed by `parseAmount`. */
export function MoneyInput({ isOptional = false, mayBeZero = false, ...props }: Props) {
  return (
    <TextInput
      {...props}
      isRequired={!isOptional}
      validate={(text: unknown) =>
        isOptional && typedText(text) === '' ? undefined : amountFault(text, mayBeZero)
      }
      slotProps={{
        input: { startAdornment: <InputAdornment position="start">$</InputAdornment> },
        htmlInput: { inputMode: 'decimal', autoComplete: 'off' },
      }}
    />
  );
}
