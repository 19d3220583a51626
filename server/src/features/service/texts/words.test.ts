import { expect, test } from 'vitest';
import { readWord } from './words.ts';

test.each([
  ...['STOP', 'stop', ' Stop. ', 'STOPALL', 'Unsubscribe', 'cancel', 'END', 'quit!', 'REVOKE'],
  ...['optout', 'Opt-Out', 'opt out please', 'Please stop texting me', 'stop sending these'],
  ...['Alto', 'BAJA', 'cancelar', 'Pare', '¡No más!', 'No me escriban', 'Deje de mandar mensajes'],
  ...['quiero darme de baja', 'no me envíe nada'],
  ...['remove me', 'No more texts', 'Don’t text me', 'do not contact me again', 'ＳＴＯＰ'],
])('%j stops', (body) => {
  expect(readWord(body, null)).toBe('stop');
});

test.each([
  ['START', 'start'],
  ['unstop', 'start'],
  ['Help', 'help'],
  ['ayuda', 'help'],
  ['info?', 'help'],
])('%j is %s', (body, word) => {
  expect(readWord(body, null)).toBe(word);
});

test.each([
  '',
  'YES',
  'thanks',
  'I paid at the end of the day',
  'cancel my lease',
  'ya pagué, gracias',
  'nonstop',
  '👍',
])('%j asks for nothing', (body) => {
  expect(readWord(body, null)).toBeNull();
});

test('what the provider took it for counts', () => {
  expect(readWord('ARRET', 'stop')).toBe('stop');
  expect(readWord('stop', 'start')).toBe('start');
});
