import type { Ledger } from '@gatehouse/contract/ledgers';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { buttonClass } from '#ui/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { savedMethodOf } from './saved-methods.ts';

/** Whether autopay is set up for a rental, and with what. */
export function AutopayRow({ ledger }: { ledger: Ledger }) {
  const load = useListAutopaysQuery(ledger.tenantId);
  const autopay =
    load.data && (load.data.find(({ ledgerId }) => ledgerId === ledger.id) ?? { ledgerId: '', active: false });
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
          if (!loaded.active) return 'Not set up';
          const method = savedMethodOf(loaded);
          return (
            <>
              <Chip tone="good">Active</Chip>
              {method && <p className="text-13 font-normal text-balance text-muted">{method.label}</p>}
            </>
          );
        }}
      </Loadable>
    </Fact>
  );
}
