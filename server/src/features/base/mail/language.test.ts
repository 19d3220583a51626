import { formatDate } from '@gatehouse/contract/dates';
import { standardNotice } from '@gatehouse/contract/late-notices';
import { language, type Language } from '@gatehouse/language/language';
import { beforeEach, describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import type { MailKind } from './kinds.ts';
import { queueMail } from './mail.ts';
import { changeRows } from '#test/rows.ts';

const DANA = 'dana@example.com';

const api = useTestApp('demo_template');
beforeEach(() => readsIn(null));

const readsIn = (own: Language | null) =>
  changeRows(api.owner, 'users', { language: own }, { email: DANA });

/** The subject of a mail that a call in a language causes, which names its own language. */
async function subjectOf(
  { to = DANA, kind = 'legal', ...more }: { to?: string; kind?: MailKind; language?: Language },
  call: Language,
): Promise<string> {
  await inLanguage(call, () =>
    api.ctx.db.transaction().execute((trx) =>
      queueMail(api.ctx, trx, {
        to,
        kind,
        ...more,
        tenantId: null,
        email: () => ({ subject: `${language()} ${formatDate('2026-11-05')}`, blocks: [] }),
      }),
    ),
  );
  const mail = (await mailsTo(api, to)).at(-1)!;
  expect(mail.language).toBe(mail.subject.slice(0, 2));
  return mail.subject;
}

describe('a mail is in the language', () => {
  test('of the account that signs in with its address, no matter who causes it', async () => {
    await readsIn('es');
    expect(await subjectOf({}, 'en')).toBe('es 5\u00a0nov\u00a02026');
    expect(await subjectOf({ to: 'Dana@Example.com' }, 'en')).toBe('es 5\u00a0nov\u00a02026');
    await readsIn('en');
    expect(await subjectOf({}, 'es')).toBe('en 11/5/2026');
  });

  test('of the call which causes it, where the account has none, or there is no account', async () => {
    expect(await subjectOf({}, 'es')).toBe('es 5\u00a0nov\u00a02026');
    expect(await subjectOf({ to: 'nobody@example.com' }, 'es')).toBe('es 5\u00a0nov\u00a02026');
    expect(await subjectOf({ to: 'nobody@example.com' }, 'en')).toBe('en 11/5/2026');
  });

  // spec 10.71
  test('English, where it goes to staff', async () => {
    await readsIn('es');
    expect(await subjectOf({ kind: 'move_out' }, 'es')).toBe('en 11/5/2026');
    expect(await subjectOf({ kind: 'alarm' }, 'es')).toBe('en 11/5/2026');
    expect(await subjectOf({ kind: 'security', language: 'en' }, 'es')).toBe('en 11/5/2026');
  });

  // spec 10.71
  test('of the tenant, where staff send it, who see it in English before', async () => {
    await readsIn('es');
    const clerk = await signInStaff(api, 'clerk');
    const late = await callOffice(api, 'GET', '/office/late', {
      as: clerk,
      query: { locationCode: 'TXDFW03' },
    });
    const rows = late.body.rows as { id: string; firstName: string }[];
    const { id } = rows.find(({ firstName }) => firstName === 'Dana')!;
    const { body } = await doVerb(api, clerk, 'notices/send', {
      ...standardNotice,
      ledgerIds: [id],
    });
    expect(body).toMatchObject({
      recipients: 1,
      first: { text: expect.stringMatching(/^Hello Dana,.* \d+\/\d+\/\d{4}/s) as string },
    });
    const mail = (await mailsTo(api, DANA)).at(-1)!;
    expect(mail.text).toMatch(/A101: .* \d+\s[a-z]{3,4}\s\d{4}/);
    expect(mail.text).toMatch(/^Hola, Dana:.*Páguelo en el portal o en la oficina\./s);
    expect(mail.html).toMatch(/<html lang="es">/);
  });
});
