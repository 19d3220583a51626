/**
 * What a secret looks like, by what it is; `password` in the place of one is an example's, and `%s`
 * is filled in.
 */
const patterns: Record<string, RegExp> = {
  'private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
  'secret key of Stripe': /\b[sr]k_(?:live|test)_[0-9a-zA-Z]{16,}/,
  'webhook secret of Stripe': /\bwhsec_[0-9a-zA-Z]{16,}/,
  'access key of Amazon': /\bAKIA[0-9A-Z]{16}\b/,
  'token of GitHub': /\bgh[pousr]_[0-9a-zA-Z]{36}/,
  'token of npm': /\bnpm_[0-9a-zA-Z]{36}/,
  'token of Slack': /\bxox[abprs]-[0-9a-zA-Z-]{10,}/,
  'signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  'session, device or registration token': /\br[dvg]t_[\w-]{43}\b/,
  'password hash': /\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[\w+/]{16,}\$/,
  'database with a password':
    /\bpostgres(?:ql)?:\/\/[^\s:@/'"`]+:(?!(?:pass(?:word)?|%s)@)[^\s@/'"`]+@/,
  'mail server with a password': /\bsmtps?:\/\/[^\s:@/'"`]+:(?!pass(?:word)?@)[^\s@/'"`]+@/,
  '32-byte key': /\b(?:SECRET_KEY|DATA_KEYS)['"]?\s*[:=]\s*['"]?[0-9a-f]{64}/,
};

/** The kinds of secrets that a text has. */
export function secretsIn(text: string): string[] {
  return Object.entries(patterns)
    .filter(([, pattern]) => pattern.test(text))
    .map(([kind]) => kind);
}
