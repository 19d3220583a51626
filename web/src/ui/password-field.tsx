import { t } from '@gatehouse/language/t';
import { type ComponentProps, useState } from 'react';
import { Icon } from './icons.tsx';
import { TextField } from './field.tsx';

/** A password with a button that shows what was typed. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          className="inline-flex h-full items-center gap-1.5 rounded-control px-3 font-medium text-brand hover:text-brand-strong"
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
          <span>{shown ? t('Hide') : t('Show')}</span>
          <span className="sr-only">{` ${t('the password')}`}</span>
        </button>
      }
    />
  );
}
