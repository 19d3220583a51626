import { setupI18n, type I18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { language, type Language, locales } from './language.ts';
import { spanish, type Message } from './spanish.ts';

/**
 * The names in a message: `sum` in `Pay {sum}`, and `n` in
 * `{n, plural, one {# day} other {# days}}`.
 */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ?
      | (Name extends `${infer Number}, plural, ${string}`
          ? Number
          : Name extends `${string}${' ' | '#'}${string}`
            ? never
            : Name)
      | NamesIn<Rest>
  : never;

/** What fills in a message: a value for each of its names; nothing where it has none. */
export type ValuesOf<Text extends string, Value> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Record<NamesIn<Text>, Value>];

/**
 * A text of the portal in the current language. The message is the English text, word for word as
 * the specification has it, in ICU MessageFormat: `{name}` stands for a value, and `{n, plural, one
 * {# day} other {# days}}` for a number with its noun. Only messages of the catalogue
 * (language/src/spanish.ts) are taken. Must be called when the text is needed, not while a module
 * is loaded: on the server the language differs from call to call.
 */
export function t<Text extends Message>(
  message: Text,
  ...[values]: ValuesOf<Text, string | number>
): string {
  return catalogues[language()](message, values);
}

const catalogues: Record<Language, (message: Message, values?: Values) => string> = {
  en: catalogueOf(locales.en, (message) => message),
  es: catalogueOf(locales.es, (message) => spanish[message]),
};

type Values = Record<string, string | number>;

/** Each message is compiled when it is first used. */
function catalogueOf(of: string, textOf: (message: Message) => string) {
  const catalogue: I18n = setupI18n({ locale: of, messages: { [of]: {} } });
  return (message: Message, values?: Values) => {
    if (!Object.hasOwn(catalogue.messages, message))
      catalogue.load(of, { [message]: compileMessage(textOf(message)) });
    return catalogue._(message, values && asGiven(values));
  };
}

/**
 * Lingui decodes `\u0041` and `\x41` in what it has filled in: a name could bring a control
 * character that way, which no check of what was entered would see. Each backslash is given so that
 * it is decoded to itself.
 */
function asGiven(values: Values): Values {
  const safe = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value,
  ]);
  return Object.fromEntries(safe) as Values;
}
