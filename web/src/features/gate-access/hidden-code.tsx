import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { confirm } from '#api/base.ts';
import { OpenButton } from '#ui/dialog-button.tsx';

/**
 * In place of a code that a kept session may not show before a passkey confirms it: asks for the
 * passkey, and has every code that is shown read again.
 */
export function HiddenCode({ ledger }: { ledger: Ledger }) {
  const cache = useQueryClient();
  const [said, say] = useState(t('This gate code is new on this phone.'));
  const show = () =>
    confirm().then(
      () => cache.invalidateQueries({ queryKey: ['LedgerGateAccess'] }),
      // What a call throws is an error.
      (thrown: unknown) => say((thrown as Error).message),
    );
  return (
    <div className="grid gap-2 font-normal">
      <p role="status">{said}</p>
      <OpenButton
        label={t('Show code')}
        about={t('of {unit}', { unit: ledger.unitName })}
        variant="secondary"
        onOpen={() => void show()}
      />
    </div>
  );
}
