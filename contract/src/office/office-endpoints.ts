import { listAlarms, listAudit, listDifferences, verifyAudit } from './audit.ts';
import { getGoingLive } from './going-live.ts';
import {
  cancelImport,
  getImport,
  importLeases,
  listImports,
  listUndeliverable,
} from './imports.ts';
import { listInsurance } from './insurance.ts';
import { getJournal } from './journal.ts';
import {
  getLateLetters,
  keepLateTemplate,
  listLate,
  listLateTemplates,
  removeLateTemplate,
} from './late.ts';
import {
  addStaffPasskey,
  getSecondSteps,
  removeStaffPasskey,
  renameStaffPasskey,
  staffPasskeyOptions,
} from './passkeys.ts';
import { listRates } from './rates.ts';
import { getReportPaper, getReportTable } from './report-tables.ts';
import {
  getAging,
  getDepositDay,
  getDeposits,
  getOccupancy,
  getRentRoll,
  getRevenue,
} from './reports.ts';
import {
  answerRequest,
  getOfficeRequest,
  getRequestPhoto,
  listOfficeRequests,
} from './requests.ts';
import {
  acceptInvitation,
  beginSecondStep,
  confirmSecondStep,
  getMe,
  officePasskeyOptions,
  officePasskeySignIn,
  officeSignIn,
  officeSignOut,
  readInvitation,
} from './session.ts';
import { endStaffSession, listStaffSessions } from './sessions.ts';
import {
  cancelFacilityChange,
  changeFacility,
  changeRecipient,
  getFacilityFile,
  getFormSample,
} from './settings.ts';
import { actOnStaff, changeStaff, getStaff, inviteStaff, listStaff } from './staff.ts';
import {
  addNote,
  changeNote,
  getFinalStatement,
  getOfficeDocument,
  getOfficeReceipt,
  getOfficeStatement,
  getTenantFile,
  listBooks,
  listTenantMails,
  listTenants,
  viewAsTenant,
} from './tenants.ts';
import { getToday } from './today.ts';
import { getUnit, listUnits } from './units.ts';
import { getPaperOfRental, listExpiringPapers } from './vehicle-papers.ts';
import { officeVerbs } from './verbs.ts';

/**
 * Every call of the office under its name; those of verbs under the verb's, such as `credits.add`.
 */
export const officeEndpoints = {
  officeSignIn,
  officePasskeyOptions,
  officePasskeySignIn,
  officeSignOut,
  listStaffSessions,
  endStaffSession,
  getMe,
  readInvitation,
  acceptInvitation,
  beginSecondStep,
  confirmSecondStep,
  getSecondSteps,
  staffPasskeyOptions,
  addStaffPasskey,
  renameStaffPasskey,
  removeStaffPasskey,
  getToday,
  listExpiringPapers,
  getPaperOfRental,
  listTenants,
  getTenantFile,
  listBooks,
  listTenantMails,
  viewAsTenant,
  addNote,
  changeNote,
  getOfficeReceipt,
  getFinalStatement,
  getOfficeStatement,
  getOfficeDocument,
  listUnits,
  getUnit,
  listInsurance,
  listLate,
  listLateTemplates,
  keepLateTemplate,
  removeLateTemplate,
  getLateLetters,
  listOfficeRequests,
  getOfficeRequest,
  getRequestPhoto,
  answerRequest,
  listRates,
  getDeposits,
  getDepositDay,
  getRentRoll,
  getAging,
  getOccupancy,
  getRevenue,
  getJournal,
  getReportTable,
  getReportPaper,
  importLeases,
  getImport,
  listImports,
  cancelImport,
  listUndeliverable,
  getFacilityFile,
  getFormSample,
  changeFacility,
  cancelFacilityChange,
  changeRecipient,
  listStaff,
  getStaff,
  inviteStaff,
  changeStaff,
  actOnStaff,
  listAudit,
  verifyAudit,
  getGoingLive,
  listAlarms,
  listDifferences,
  ...officeVerbs,
};
export type OfficeEndpointName = keyof typeof officeEndpoints;
