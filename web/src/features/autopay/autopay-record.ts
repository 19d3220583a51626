import type { Autopay } from '@gatehouse/contract/autopay';

/** The autopay record of a rental; of one that the answer does not name yet, that nothing is set up. */
export function recordOf(autopays: Autopay[], ledgerId: string): Autopay {
  return (
    autopays.find((record) => record.ledgerId === ledgerId) ?? {
      ledgerId,
      active: false,
      nextCharge: null,
      problem: null,
      attempts: [],
    }
  );
}
