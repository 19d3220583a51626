import { expect, test } from 'vitest';
import { locationLabel } from './facilities.ts';
import { formatPhone, phoneHref } from './phone.ts';
import { stateName, stateNames } from './states.ts';

const address = {
  street1: '4100 Marina Drive',
  street2: null,
  city: 'Fort Worth',
  region: 'TX',
  postalCode: '76135',
};

// spec 2.32
test('a location option reads city, region at street', () => {
  expect(locationLabel({ locationCode: 'TXAUS01', name: 'x', address })).toBe(
    'Fort Worth, TX at 4100 Marina Drive',
  );
});

// spec 2.33, 9.18, 9.19
test('the two special location codes have their suffixes, hyphen and dash as they are', () => {
  expect(locationLabel({ locationCode: 'TXDFW03', name: 'x', address })).toBe(
    'Fort Worth, TX at 4100 Marina Drive (Left Entrance - TXDFW03)',
  );
  expect(locationLabel({ locationCode: 'TXDFW03A', name: 'x', address })).toBe(
    'Fort Worth, TX at 4100 Marina Drive (Right Entrance – TXDFW03A)',
  );
});

// spec 2.19, 9.16
test('phones show as (xxx) xxx-xxxx and dial with the country code', () => {
  expect(formatPhone('8175550103')).toBe('(817) 555-0103');
  expect(formatPhone('1-817-555-0103')).toBe('(817) 555-0103');
  expect(formatPhone('555-0103')).toBe('555-0103');
  expect(phoneHref('(817) 555-0103')).toBe('tel:+18175550103');
});

// spec 9.27
test('there are 50 states', () => {
  expect(Object.keys(stateNames)).toHaveLength(50);
  expect(stateName('TX')).toBe('Texas');
  expect(stateName('PR')).toBe('PR');
});
