import type { Ledger } from '@gatehouse/contract/ledgers';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { buttonClass } from '#ui/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { recordOf } from './autopay-record.ts';
import { NextCharge } from './next-charge.tsx';
import { savedMethodOf } from './saved-methods.ts';

/** Whether autopay is set up for a rental, with what, and what it takes next. */
export function AutopayRow({ ledger }: { ledger: Ledger }) {
  const load = useListAutopaysQuery(ledger.tenantId);
  const autopay = load.data && recordOf(load.data, ledger.id);
  const verb = autopay?.active ? 'Update' : 'Setup';
  return (
    <Fact
      label="Autopay Status (Required)"
      missing={autopay?.active === false}
      action={
        autopay && (
          <a href="/billing-info" className={buttonClass('quiet')}>
            {verb}
            <span className="sr-only"> autopay for {ledger.unitName}</span>
          </a>
        )
      }
    >
      <Loadable load={{ ...load, data: autopay }} failure="The autopay status could not be loaded.">
        {(loaded) => {
          const method = loaded.active ? savedMethodOf(loaded) : null;
          return (
            <>
              {loaded.active ? <Chip tone={loaded.problem === null ? 'good' : 'warn'}>Active</Chip> : 'Not set up'}
              {method && <p className="text-13 font-normal text-balance text-muted">{method.label}</p>}
              <NextCharge record={loaded} />
            </>
          );
        }}
      </Loadable>
    </Fact>
  );
}
