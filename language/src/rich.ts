import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Message } from './spanish.ts';
import type { ValuesOf } from './t.ts';

/**
 * A text with elements in it, as the children of an element: like `t`, with elements for values.
 * For the screens, where the build replaces the call by JSX (language/vite-language.ts).
 */
export function rich<Text extends Message, Part>(
  message: Text,
  ...[values]: ValuesOf<Text, Part>
): (string | Part)[] {
  const tokens = compileMessage(message);
  return tokens.map((token) =>
    typeof token === 'string' ? token : (values as Record<string, Part>)[token[0]]!,
  );
}
