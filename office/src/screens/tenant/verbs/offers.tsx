import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { type OfficeVerbName, officeVerbs } from '@gatehouse/contract/office/verbs';
import type { ComponentType } from 'react';
import { type Action, ActionButton, type ActionProps } from '#parts/action-dialog.tsx';

/** A rental as the tenant's page has it. */
export type Rental = TenantFile['ledgers'][number];

/** A verb that needs nothing but what its schema asks for, as it is offered at something. */
type PlainVerb<Place> = Pick<ActionProps<Action>, 'label' | 'isDanger' | 'inputs'> & {
  verb: OfficeVerbName;
  /** Where it is offered; always unless it is given. */
  isFor?: (place: Place) => boolean;
  /** One sentence on what it does, where the label does not say it. */
  explanation?: string | ((place: Place) => string);
  /** Of the body, in addition to the ids of the place. */
  given?: object;
  defaultValues?: object;
};

/** What a verb is offered by: a row of a table, or a component of its own. */
export type Offer<Place> = PlainVerb<Place> | ComponentType<Place>;

type OffersProps<Place> = { of: Offer<Place>[]; place: Place; ids: Record<string, string> };

/** The buttons of the verbs at a place; `ids` are the fields of their bodies that say what of. */
export function Offers<Place extends object>({ of, place, ids }: OffersProps<Place>) {
  return of.map((Offered, index) => {
    if (typeof Offered === 'function') return <Offered key={index} {...place} />;
    const { verb, isFor, explanation, given, ...button } = Offered;
    if (isFor?.(place) === false) return null;
    return (
      <ActionButton<Action>
        key={index}
        {...button}
        action={officeVerbs[verb]}
        given={{ ...ids, ...given }}
        {...(explanation !== undefined && {
          explanation: typeof explanation === 'string' ? explanation : explanation(place),
        })}
      />
    );
  });
}
