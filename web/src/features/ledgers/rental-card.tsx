import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import type { ReactNode } from 'react';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';

type Props = { ledger: Ledger; children: ReactNode };

/** A rental: unit name, width x length, type and monthly rate, then its rows (spec section 2, Current Rentals). */
export function RentalCard({ ledger, children }: Props) {
  const { unitName, unit, rentalRate } = ledger;
  return (
    <Card
      level={3}
      title={unitName}
      description={`${unit.width} x ${unit.length} ${unit.typeName} · ${formatMoney(rentalRate)} a month`}
    >
      <Facts>{children}</Facts>
    </Card>
  );
}
