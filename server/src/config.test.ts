import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { environment, readConfig } from './config.ts';
import { StartFault } from './start-fault.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The sentence with which a start is refused. */
function refusalOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig({ DATA_DIR: folder, ...env });
  } catch (error) {
    if (error instanceof StartFault) return error.message;
    throw error;
  }
  throw new Error('the environment was not refused');
}

describe('.env.example', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const server = text.split(/^## /m).find((section) => section.startsWith('Server\n')) ?? '';
  const given = Object.fromEntries([...server.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

  test('names the settings of the server, all of them and no other', () => {
    expect(Object.keys(given).toSorted()).toEqual(Object.keys(environment.shape).toSorted());
  });

  test('shows their defaults', () => {
    const shown = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    expect(environment.parse(shown)).toEqual(environment.parse({}));
  });

  test('has a comment above each setting', () => {
    const lines = text.split('\n');
    const bare = lines.filter((line, index) => /^\w+=/.test(line) && !lines[index - 1]?.startsWith('# '));
    expect(bare).toEqual([]);
  });
});

describe('the environment', () => {
  test('is complete when it is empty', () => {
    expect(readConfig({ DATA_DIR: folder })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: folder,
      databaseUrl: undefined,
      corporationCode: 'ANCHOR',
      profile: 'sandbox',
      logLevel: 'warn',
    });
  });

  test('counts an empty value as unset', () => {
    expect(readConfig({ DATA_DIR: folder, PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
    });
  });

  test('takes a setting from the file that NAME_FILE names, without the newline at its end', () => {
    const file = join(folder, 'url');
    writeFileSync(file, 'postgresql://app@db/gatehouse\n');
    expect(readConfig({ DATA_DIR: folder, DATABASE_URL_FILE: file }).databaseUrl).toBe('postgresql://app@db/gatehouse');
  });

  test('is refused in a sentence where such a file cannot be read', () => {
    const file = join(folder, 'missing');
    expect(refusalOf({ DATABASE_URL_FILE: file })).toContain(
      `The file ${file}, which DATABASE_URL_FILE names, cannot be read.`,
    );
  });

  test('is refused with every fault at once', () => {
    const file = join(folder, 'missing');
    const sentence = refusalOf({
      PORT: 'http',
      PROFILE: 'live',
      LOG_LEVEL: 'loud',
      SECRET_KEY: 'abc',
      DATABASE_URL_FILE: file,
    });
    for (const name of ['PORT', 'PROFILE', 'LOG_LEVEL', 'SECRET_KEY']) expect(sentence).toContain(`${name} must be`);
    expect(sentence).toContain(`The file ${file}, which DATABASE_URL_FILE names, cannot be read.`);
  });

  test.each(['-1', '65536', '80.5', 'http'])('a port of %s is refused', (PORT) => {
    expect(refusalOf({ PORT })).toContain('PORT must be a number');
  });
});

describe('the key', () => {
  test('is the one that SECRET_KEY names, and then none is made', () => {
    const key = 'ab'.repeat(32);
    expect(readConfig({ DATA_DIR: folder, SECRET_KEY: key }).secret.toString('hex')).toBe(key);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the key file', () => {
  const keyOf = (dataDir: string) => join(dataDir, 'secret.key');

  test('is made once, in a folder that is made with it, and is its owner’s alone', () => {
    const dataDir = join(folder, 'new', 'data');
    const { secret } = readConfig({ DATA_DIR: dataDir });
    expect(secret).toHaveLength(32);
    expect(readFileSync(keyOf(dataDir))).toEqual(secret);
    expect(statSync(keyOf(dataDir)).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(readConfig({ DATA_DIR: dataDir }).secret).toEqual(secret);
  });

  test('is another one in another folder', () => {
    const [a, b] = ['a', 'b'].map((name) => readConfig({ DATA_DIR: join(folder, name) }).secret);
    expect(a).not.toEqual(b);
  });

  test('leaves nothing else behind', () => {
    readConfig({ DATA_DIR: folder });
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  test('is the same for several processes that make it at once', async () => {
    const script = `
      const { readConfig } = await import(${JSON.stringify(new URL('config.ts', import.meta.url).href)});
      console.log(readConfig({ DATA_DIR: ${JSON.stringify(folder)} }).secret.toString('hex'));`;
    const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['-e', script]));
    const keys = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
    expect(new Set(keys)).toEqual(new Set([readFileSync(keyOf(folder)).toString('hex')]));
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  test('that is there already is kept', () => {
    writeFileSync(keyOf(folder), Buffer.alloc(32, 7));
    expect(readConfig({ DATA_DIR: folder }).secret).toEqual(Buffer.alloc(32, 7));
  });

  test.each([0, 31, 33])('of %i bytes is refused in a sentence and left as it is', (length) => {
    writeFileSync(keyOf(folder), Buffer.alloc(length));
    expect(refusalOf({})).toBe(`The key file ${keyOf(folder)} is damaged; it must hold 32 bytes.`);
    expect(statSync(keyOf(folder)).size).toBe(length);
  });
});

describe('a data folder that cannot be used is refused in a sentence', () => {
  function expectRefused(dataDir: string) {
    const sentence = refusalOf({ DATA_DIR: dataDir });
    expect(sentence.replace(dataDir, '…')).toMatch(/^The data folder … cannot be written \(E[A-Z]+\); set DATA_DIR\.$/);
  }

  test('where it is a file', () => {
    writeFileSync(join(folder, 'file'), '');
    expectRefused(join(folder, 'file'));
  });

  test('where its parent is a file', () => {
    writeFileSync(join(folder, 'file'), '');
    expectRefused(join(folder, 'file', 'data'));
  });

  test('where its key cannot be read', () => {
    mkdirSync(join(folder, 'secret.key'));
    expectRefused(folder);
  });
});
