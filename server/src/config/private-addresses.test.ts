import { expect, test } from 'vitest';
import { isLoopbackHost, isPrivateAddress } from './private-addresses.ts';

test.each([
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
  ],
  ...['224.0.0.1', '255.255.255.255', '198.18.0.1'],
  ...[
    '::1',
    '::',
    '[::1]',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
  ],
  ...['64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1'],
])('%s is no address of the public internet', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '100.128.0.1',
  '2606:4700::1111',
  '[2a00:1450::1]',
])('%s is one', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

test('a name is no address, and some names are this machine', () => {
  expect(isPrivateAddress('staff.example.com')).toBe(false);
  expect(
    ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'a.localhost'].filter(
      (name) => !isLoopbackHost(name),
    ),
  ).toEqual([]);
  expect(
    ['example.com', '127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1'].filter(
      isLoopbackHost,
    ),
  ).toEqual([]);
});
