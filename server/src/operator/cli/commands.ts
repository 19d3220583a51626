import type { Command } from 'commander';
import { alarmsCommand } from './alarms.ts';
import { auditCommand } from './audit.ts';
import { autopayCommand } from './autopay.ts';
import { billingCommand } from './billing.ts';
import { chargesCommand } from './charges.ts';
import { creditsCommand } from './credits.ts';
import { depositsCommand } from './deposits.ts';
import { ledgersCommand } from './ledgers.ts';
import { payLinksCommand } from './pay-links.ts';
import { paymentsCommand } from './payments.ts';
import { reconcileCommand } from './reconcile.ts';
import { rentalsCommand } from './rentals.ts';
import { requestsCommand } from './requests.ts';
import { staffCommand } from './staff.ts';
import { tenantsCommand } from './tenants.ts';
import { unitsCommand } from './units.ts';
import { usersCommand } from './users.ts';
import type { Runner } from './runner.ts';

/**
 * The commands that run on the server's database with the server's rights: the daily work of staff
 * and operator.
 */
export const databaseCommands: ((run: Runner) => Command)[] = [
  billingCommand,
  autopayCommand,
  reconcileCommand,
  auditCommand,
  requestsCommand,
  usersCommand,
  staffCommand,
  ledgersCommand,
  depositsCommand,
  alarmsCommand,
  tenantsCommand,
  paymentsCommand,
  payLinksCommand,
  chargesCommand,
  creditsCommand,
  rentalsCommand,
  unitsCommand,
];
