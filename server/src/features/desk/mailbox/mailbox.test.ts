import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import type { Email } from '#emails/email.ts';
import { queueText } from '#features/service/texts/texts.ts';
import { useTestApp, openTestApp } from '#test/app.ts';
import { makeTextConsent } from '#test/texts.ts';
import { sealBody } from '#features/base/mail/bodies.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { addRows, getRow } from '#test/rows.ts';
import { makeFacility, makeTenant } from '#seeds/builders.ts';

const api = useTestApp('demo_template');

const hostile = '<img src=x onerror=alert(1)>';

async function queue(to: string, subject: string, text = 'Hello.'): Promise<void> {
  const email: Email = { subject, blocks: [{ kind: 'paragraph', text }] };
  await api.ctx.db
    .transaction()
    .execute((trx) =>
      queueMail(api.ctx, trx, { to, email: () => email, kind: 'legal', tenantId: null }),
    );
}
const page = (query = '') => api.app.inject({ url: `/mailbox${query}` });

describe('the mailbox', () => {
  test('is empty before anything is sent, and says so', async () => {
    expect((await api.call('GET', '/dev/mailbox')).body).toEqual([]);
    expect((await page()).body).toContain('Nothing has been sent yet.');
    expect((await page('?to=a@example.com')).body).toContain(
      'Nothing has been sent to a@example.com yet.',
    );
  });

  test('has a mail as soon as it is committed, the newest first', async () => {
    await queue('dana@example.com', 'First');
    await queue('Lee@example.com', 'Second');
    const { status, body } = await api.call('GET', '/dev/mailbox');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        to: 'Lee@example.com',
        subject: 'Second',
        text: expect.stringMatching(/^Hello\.\n/),
        sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        heldUntil: null,
        attachments: [],
      },
      expect.objectContaining({ to: 'dana@example.com', subject: 'First' }),
    ]);
  });

  test('shows the mails to one address, in any case and with spaces around it', async () => {
    const { body } = await api.call('GET', '/dev/mailbox?to=%20LEE@Example.com');
    expect(body.map(({ subject }: { subject: string }) => subject)).toEqual(['Second']);
    expect((await api.call('GET', '/dev/mailbox?to=')).body).toHaveLength(2);
    expect((await api.call('GET', '/dev/mailbox?to=nobody@example.com')).body).toEqual([]);
    expect((await api.call('GET', '/dev/mailbox?to=a&to=b')).status).toBe(422);
  });

  test('is a page with a filter by address', async () => {
    const { statusCode, headers, body } = await page('?to=lee@example.com');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(body).toContain('Second');
    expect(body).not.toContain('First');
    expect(body).toContain('value="lee@example.com"');
  });

  // asvs 1.2.1
  test('shows hostile text as text, and its policy allows no script and its one style', async () => {
    await queue('eve@example.com', hostile, `</pre>${hostile}`);
    for (const { headers, body } of [
      await page(),
      await page(`?to=${encodeURIComponent(`"><b>${hostile}`)}`),
    ]) {
      expect(body).not.toContain('<img');
      expect(body).not.toContain('<b>');
      const style = /<style>([\s\S]*?)<\/style>/.exec(body)![1]!;
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(body).not.toMatch(/<script| style=| on\w+=(?!alert)/);
    }
    expect((await page()).body).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('shows what is held, and a merged mail with the papers of its parts in their place', async () => {
    const [into, part, heldUntil] = [randomUUID(), randomUUID(), '2026-11-21T12:10:00.000Z'];
    const rowOf = (subject: string, id: string = randomUUID()) => ({
      id,
      to_address: 'parts@example.com',
      subject,
      kind: 'legal',
      language: 'en' as const,
      ...sealBody(api.ctx.vault, id, { text: 'x', html: 'x' }),
      created_at: api.ctx.clock.now(),
    });
    const paper = { paper_kind: 'receipt', paper_id: randomUUID() } as const;
    await addRows(api.owner, 'mails', [
      { ...rowOf('A part', part), ...paper, merged_into: into },
      rowOf('Merged', into),
      { ...rowOf('Held'), held_until: new Date(heldUntil) },
      { ...rowOf('Dropped'), is_dropped: true },
    ]);
    const { body } = await api.call('GET', '/dev/mailbox?to=parts@example.com');
    const attachment = `/mailbox/attachments/receipt/${paper.paper_id}`;
    expect(body).toMatchObject([
      { subject: 'Held', heldUntil, attachments: [] },
      { subject: 'Merged', heldUntil: null, attachments: [attachment] },
    ]);
    const { body: html } = await page('?to=parts@example.com');
    expect(html).toMatch(/Held until <time[^>]*>[^<]*<\/time>, to go with others like it/);
    expect(html).toContain(`href="${attachment}"`);
  });

  test('shows each mail as it looks first, in a frame without scripts, its text behind a tab, and by itself', async () => {
    await queue('looks@example.com', 'Looks', hostile);
    const [, src = ''] = /<iframe [^>]*src="([^"]+)"/.exec((await page()).body) ?? [];
    const [card = ''] = /<article[\s\S]*?<\/article>/.exec((await page()).body) ?? [];
    expect(card).toMatch(
      /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"[\s\S]*<pre/,
    );
    expect(card.match(/<input[^>]*type="radio"[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/checked=""[^>]*>As it looks$/),
      expect.stringMatching(/class="as-text"[^>]*>Text$/),
    ]);
    const { statusCode, headers, body } = await api.app.inject({ url: src });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-popups-to-escape-sandbox; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(body).not.toContain('<img');
    // A press of its button leads out of the frame.
    expect(body).toContain('<base target="_blank">');
    const gone = `/mailbox/mails/${randomUUID()}`;
    expect((await api.app.inject({ url: gone })).statusCode).toBe(404);
  });

  test('says when a mail was sent in the time of the facility that it is about', async () => {
    const facility = { location_code: 'CODEN99', time_zone: 'America/Denver', email: null };
    const facility_id = await makeFacility(api.owner, facility);
    const email = 'denver@example.com';
    const tenant_id = await makeTenant(api.owner, { facility_id, email });
    const row = {
      ...{ kind: 'legal', language: 'en' as const, text_body: '', html_body: '' },
      created_at: new Date('2026-11-25T18:00:00Z'),
    };
    await addRows(api.owner, 'mails', [
      { ...row, subject: 'Of the tenant', to_address: 'agent@example.com', tenant_id },
      { ...row, subject: 'To the tenant', to_address: 'Denver@example.com' },
      { ...row, subject: 'To the facility', to_address: 'eagle-mountain@anchor-axle.example' },
    ]);
    const times = async (to: string) =>
      (await page(`?to=${to}`)).body.match(/(?<=<time dateTime="2026-11-25T18[^>]*>)[^<]*/gi);
    expect(await times('agent@example.com')).toEqual(['Nov 25, 2026, 11:00 AM MST']);
    expect(await times(email)).toEqual(['Nov 25, 2026, 11:00 AM MST']);
    expect(await times('eagle-mountain@anchor-axle.example')).toEqual([
      'Nov 25, 2026, 12:00 PM CST',
    ]);
  });

  test('shows each text message with a way to answer it as its recipient', async () => {
    const { id: tenantId } = await getRow(api.owner, 'tenants', 'id', {
      email: 'dana@example.com',
    });
    const consentId = await makeTextConsent(api.owner, tenantId);
    const to = '+18175550142';
    const textId = await api.ctx.db
      .transaction()
      .execute((trx) =>
        queueText(api.ctx, trx, { tenantId, to, kind: 'welcome', body: () => `Hello ${hostile}` }),
      );
    for (const query of ['', '?to=817-555-0142']) {
      const { body } = await page(query);
      expect(body).toContain('Text message to (817) 555-0142');
      expect(body).toContain('Hello &lt;img');
    }
    expect((await page('?to=8175550100')).body).not.toContain('Text message to');
    const answer = (text: string, id = textId) =>
      api.app.inject({
        method: 'POST',
        url: `/mailbox/texts/${id}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ body: text }).toString(),
      });
    const { statusCode, headers, body } = await answer('stop, please');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toMatch(
      /role="status">\(817\) 555-0142 answered “stop, please”\. The answer to it: .*no more reminders/,
    );
    const end = await api.owner
      .selectFrom('text_consent_ends')
      .select('reason')
      .where('consent_id', '=', consentId)
      .executeTakeFirst();
    expect(end).toEqual({ reason: 'stopped' });
    expect((await answer('START', randomUUID())).statusCode).toBe(404);
    expect((await answer(hostile)).body).not.toContain('<img');
  });

  test('shows the newest 200', async () => {
    const row = {
      to_address: 'many@example.com',
      kind: 'legal',
      language: 'en' as const,
      text_body: '',
      html_body: '',
      created_at: api.ctx.clock.now(),
    };
    const many = Array.from({ length: 201 }, (_, index) => ({ ...row, subject: `Mail ${index}` }));
    await addRows(api.owner, 'mails', many);
    const { body } = await api.call('GET', '/dev/mailbox?to=many@example.com');
    expect(body).toHaveLength(200);
    expect([body[0].subject, body[199].subject]).toEqual(['Mail 200', 'Mail 1']);
  });
});

test('there is no mailbox in the live profile', async () => {
  const config = { ...readConfig({ DATA_DIR: api.ctx.config.dataDir }), profile: 'live' as const };
  const live = await openTestApp('empty_template', { config });
  expect((await live.call('GET', '/dev/mailbox')).status).toBe(404);
  expect((await live.app.inject({ url: '/mailbox' })).body).not.toContain('Every email');
  await live.close();
});
