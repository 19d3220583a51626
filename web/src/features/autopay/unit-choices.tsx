import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { CheckboxField } from '#ui/field.tsx';

type Props = {
  current: Ledger;
  others: Ledger[];
  /** The ids of the other units that are selected. */
  chosen: string[];
  onChoose: (ledgerIds: string[]) => void;
};

/** Which units the method pays: the current one always, the others as the tenant likes (spec section 4). */
export function UnitChoices({ current, others, chosen, onChoose }: Props) {
  const isAll = others.every(({ id }) => chosen.includes(id));
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">Units</legend>
      <div className="mt-1.5 grid grid-cols-1 gap-2">
        {others.length > 1 && (
          <CheckboxField
            label="Select all units"
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !isAll;
            }}
            onChange={() => onChoose(isAll ? [] : others.map(({ id }) => id))}
          />
        )}
        <CheckboxField
          label={current.unitName}
          hint={<>{balanceOf(current)} · always included</>}
          checked
          aria-disabled
          onChange={() => {}}
        />
        {others.map((ledger) => (
          <CheckboxField
            key={ledger.id}
            label={ledger.unitName}
            hint={balanceOf(ledger)}
            checked={chosen.includes(ledger.id)}
            onChange={({ target }) =>
              onChoose(target.checked ? [...chosen, ledger.id] : chosen.filter((id) => id !== ledger.id))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function balanceOf({ balance }: Ledger) {
  if (balance <= 0) return 'Nothing due';
  return <span className="font-medium text-bad tabular-nums">{formatMoney(balance)} due</span>;
}
