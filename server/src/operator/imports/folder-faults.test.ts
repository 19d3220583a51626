import { expect, test } from 'vitest';
import { readingFault, writingFault } from './folder-faults.ts';

const failed = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['ENOENT', 'There is no folder /srv/in.'],
  ['ENOTDIR', '/srv/in is no folder.'],
  ['EACCES', 'The folder /srv/in cannot be read by this user (EACCES).'],
  ['EIO', 'The folder /srv/in cannot be read (EIO).'],
])('a folder that is not read because of %s is told as it is', (code, sentence) => {
  expect(readingFault(failed(code), '/srv/in').message).toBe(sentence);
});

test.each([
  [
    'EACCES',
    'The folder /srv/out cannot be written by this user (EACCES): there is no whole export.',
  ],
  [
    'EROFS',
    'The folder /srv/out cannot be written by this user (EROFS): there is no whole export.',
  ],
  [
    'ENOSPC',
    'The disk of /srv/out is full: there is no whole export. Free some space and export into a new folder.',
  ],
  ['EEXIST', '/srv/out is no folder that can be exported to (EEXIST).'],
])('a folder that is not written because of %s is told as it is', (code, sentence) => {
  expect(writingFault(failed(code), '/srv/out')?.message).toBe(sentence);
});

test('a fault of ours is no fault of the folder', () => {
  expect(writingFault(new TypeError('x'), '/srv/out')).toBeNull();
});
