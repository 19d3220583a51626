import { describe, expect, test } from 'vitest';
import { BrokenSeal, openVault, SEAL } from './vault.ts';

const [key, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const vault = openVault([key]);
const a = '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49';
const b = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';

describe('a sealed value', () => {
  test.each(['28840917', '0417#', '', 'Ä€🚐'])('opens to the text that was sealed: %j', (text) => {
    expect(vault.open('license', a, vault.seal('license', a, text))).toBe(text);
  });

  // asvs 11.3.2
  test('shows nothing of the text and is another each time', () => {
    const [first, second] = [
      vault.seal('gateCode', a, '0417#'),
      vault.seal('gateCode', a, '0417#'),
    ];
    expect(first).toMatch(/^sealed:1:[0-9a-f]{16}:[\w-]+$/);
    expect(first).not.toContain('0417');
    expect(first).not.toBe(second);
  });

  // asvs 11.2.2
  test('opens where an earlier version sealed it', () => {
    const stored = 'sealed:1:9b3f40f6dbcae255:pb-Qam86qpuYPMDSHbEu4FYyNXomwrRSHtUvusU9pOk6v9TH';
    expect(vault.open('license', a, stored)).toBe('28840917');
  });

  test('opens whether its row is named in small letters or capitals', () => {
    expect(vault.open('license', a, vault.seal('license', a.toUpperCase(), 'x'))).toBe('x');
  });
});

describe('a sealed value does not open', () => {
  const broken = (sealed: string, column: Parameters<typeof vault.open>[0] = 'license', row = a) =>
    expect(() => vault.open(column, row, sealed)).toThrow(BrokenSeal);

  // asvs 11.3.3
  test('in another row of its column: two tenants’ values cannot be swapped', () => {
    const [ofA, ofB] = [vault.seal('license', a, 'A'), vault.seal('license', b, 'B')];
    broken(ofA, 'license', b);
    broken(ofB, 'license', a);
  });

  test('in another column of the same row: two columns’ values cannot be swapped', () => {
    broken(vault.seal('license', a, 'A'), 'gateCode');
    broken(vault.seal('gatewayToken', a, 'A'), 'license');
  });

  // asvs 11.3.1, 11.3.3
  test('after any of its bytes was changed', () => {
    const sealed = vault.seal('license', a, '28840917');
    const head = vault.currentSeal.length;
    const bytes = Buffer.from(sealed.slice(head), 'base64url');
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      broken(sealed.slice(0, head) + changed.toString('base64url'));
    }
  });

  test('after it was cut short', () => {
    const sealed = vault.seal('license', a, '28840917');
    for (let length = sealed.length - 1; length >= 0; length -= 1) broken(sealed.slice(0, length));
  });

  test('under a key that the vault does not have', () => {
    broken(openVault([other]).seal('license', a, '28840917'));
  });

  test('when it is plain', () => {
    for (const plain of ['28840917', SEAL, '']) broken(plain);
  });
});

describe('a vault of several keys', () => {
  test('seals under the first and opens what any of them sealed', () => {
    const both = openVault([other, key]);
    expect(both.open('license', a, vault.seal('license', a, 'old'))).toBe('old');
    const sealed = both.seal('license', a, 'new');
    expect(sealed.startsWith(openVault([other]).currentSeal)).toBe(true);
    expect(openVault([other]).open('license', a, sealed)).toBe('new');
  });

  test('needs one', () => {
    expect(() => openVault([])).toThrow('a vault needs a key');
  });
});
