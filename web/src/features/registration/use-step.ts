import type { Schema } from '@gatehouse/contract/endpoint';
import { useRef, useState } from 'react';
import { CallError } from '#api/call.ts';
import { failedSubmit } from '#api/failed-submit.ts';
import { useCheckedFields } from './use-checked-fields.ts';

/**
 * The form of one step: checks its fields by the contract's shape, sends one call at a time, and
 * keeps what to say of a failure. What was typed stays in the fields and goes with them.
 */
export function useStep() {
  const { check: checkFields, ...fields } = useCheckedFields();
  const [failure, setFailure] = useState('');
  const [underWay, setUnderWay] = useState<string | null>(null);
  const inFlight = useRef(false);

  function check<Shape extends Schema>(...given: Parameters<typeof checkFields<Shape>>) {
    const checked = checkFields(...given);
    if (checked === null) setFailure('');
    return checked;
  }

  /** Does `action`, unless one is in flight already. */
  async function send(action: string, work: () => Promise<void>): Promise<void> {
    if (inFlight.current) return;
    inFlight.current = true;
    setUnderWay(action);
    try {
      await work();
      setFailure('');
    } catch (error) {
      setFailure(error instanceof CallError ? failedSubmit(error) : String(error));
    } finally {
      inFlight.current = false;
      setUnderWay(null);
    }
  }
  return { ...fields, failure, underWay, check, send };
}
