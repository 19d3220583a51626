import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { type OfficeVerbName, officeVerbs } from '@gatehouse/contract/office/verbs';
import {
  type Action,
  ActionButton,
  type ActionProps,
  type AnyAction,
} from '#parts/action-dialog.tsx';
import { ActionMenu } from '#parts/action-menu.tsx';

/** A rental as the tenant's page has it. */
export type Rental = TenantFile['ledgers'][number];

/** Where the verbs of a record are offered, and those of a rental. */
export type OfRecord = { tenant: TenantFile };
export type OfRental = OfRecord & { rental: Rental };

/** A verb that needs nothing but what its schema asks for, as it is offered at something. */
type PlainVerb<Place> = Pick<ActionProps<Action>, 'label' | 'isDanger' | 'inputs'> & {
  verb: OfficeVerbName;
  /** Where it is offered; always unless it is given. */
  isFor?: (place: Place) => boolean;
  /** One sentence on what it does, where the label does not say it. */
  explanation?: string | ((place: Place) => string);
  /** Of the body, in addition to the ids of the place. */
  given?: object;
  defaultValues?: Record<string, unknown> | ((place: Place) => Record<string, unknown>);
};

/** What a verb is offered by: a row of a table, or what makes its action where it is offered. */
export type Offer<Place> = PlainVerb<Place> | ((place: Place) => AnyAction | null);

type At<Place> = { place: Place; ids: Record<string, string> };

/** The actions of the verbs at a place; `ids` are the fields of their bodies that say what of. */
function actionsAt<Place extends object>(offers: Offer<Place>[], { place, ids }: At<Place>) {
  return offers.flatMap((offered): AnyAction[] => {
    if (typeof offered === 'function') {
      const action = offered(place);
      return action === null ? [] : [action];
    }
    const { verb, isFor, explanation, given, defaultValues, ...action } = offered;
    if (isFor?.(place) === false) return [];
    return [
      {
        ...action,
        action: officeVerbs[verb],
        given: { ...ids, ...given },
        ...(explanation !== undefined && {
          explanation: typeof explanation === 'string' ? explanation : explanation(place),
        }),
        ...(defaultValues !== undefined && {
          defaultValues: typeof defaultValues === 'function' ? defaultValues(place) : defaultValues,
        }),
      },
    ];
  });
}

/** A button for each of them. */
export function Offers<Place extends object>({ of, ...at }: At<Place> & { of: Offer<Place>[] }) {
  return actionsAt(of, at).map((action) => <ActionButton key={action.label} {...action} />);
}

/** A menu for each group of them, by its name. */
export function OfferMenus<Place extends object>({
  of,
  ...at
}: At<Place> & { of: Record<string, Offer<Place>[]> }) {
  return Object.entries(of).map(([name, offers]) => (
    <ActionMenu key={name} label={name} actions={actionsAt(offers, at)} />
  ));
}
