import { stateNames } from '@gatehouse/contract/states';

/** The options of a state select: the code as value, the name as text. */
export const stateOptions = Object.entries(stateNames).map(([value, label]) => ({ value, label }));
