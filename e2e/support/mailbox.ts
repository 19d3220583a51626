import type { Page } from '@playwright/test';
import type { Portal } from './portal.ts';

export type Mail = { to: string; subject: string; text: string; sentAt: string };

/** What the portal mailed to an address, newest first. */
export async function mailsTo(page: Page, portal: Portal, email: string): Promise<Mail[]> {
  const answer = await page.request.get(`${portal.url}/api/dev/mailbox`, { params: { to: email } });
  return (await answer.json()) as Mail[];
}

/** The verification code in the newest mail to an address. */
export async function newestCode(page: Page, portal: Portal, email: string): Promise<string> {
  const [newest] = await mailsTo(page, portal, email);
  const code = /\b\d{8}\b/.exec(newest?.text ?? '')?.[0];
  if (code === undefined) throw new Error(`the newest mail to ${email} has no verification code`);
  return code;
}
