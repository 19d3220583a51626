import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskFiles } from '#adapters/files/disk.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { describePhoto } from '#test/photos.ts';
import { bombs, hiddenWords, hostileFiles } from './hostile-files.fixture.ts';

let folder: string;
let api: TestApp;
let dana: SignedIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-hostile-'));
  api = await openTestApp('demo_template', { files: createDiskFiles(folder) });
  dana = await signIn(api, 'dana@example.com');
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const served = {
  'content-disposition': /^attachment; filename="[\w.]+"$/,
  'content-type': /^application\/json/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'.*sandbox/,
  'cache-control': /no-store/,
};

test.each([...(await hostileFiles()), ...(await bombs())])(
  '$what is kept as a picture of ours, or refused in a sentence: $outcome',
  async ({ imageData, file, outcome }) => {
    await api.owner.deleteFrom('images').execute();
    const before = await readdir(folder);
    const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/images`;
    const given = { token: dana.token, body: { imageData, file } };
    const { status, body } = await api.call('POST', path, given);
    expect(status === 200 ? 'kept' : status).toBe(outcome);
    const added = (await readdir(folder)).filter((name) => !before.includes(name));
    if (outcome !== 'kept') {
      expect(body.message).toMatch(/^.{1,199}\.$/);
      expect(added).toEqual([]);
      return;
    }
    expect(added).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const { headers, body: shown } = await api.call('GET', `${path}/${body.id}`, dana);
    for (const [name, form] of Object.entries(served)) expect(headers[name], name).toMatch(form);
    const [, type, base64] = /^data:image\/(jpeg|png|gif|webp);base64,(.*)$/.exec(shown.imageData)!;
    const bytes = Buffer.from(base64!, 'base64');
    const { format, width, height, besides } = await describePhoto(bytes);
    expect({ format, besides }).toEqual({ format: type, besides: [] });
    expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
    expect(hiddenWords.filter((word) => bytes.includes(word))).toEqual([]);
  },
);
