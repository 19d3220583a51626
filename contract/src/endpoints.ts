import { chooseLanguage } from './account-language.ts';
import { listAutopays } from './autopay.ts';
import { stopAutopay, updateAutopay } from './autopay-changes.ts';
import { createCalendarFeed, getCalendarFeed, removeCalendarFeed } from './calendar-feed.ts';
import { listCharges } from './charges.ts';
import { listFiles, resendEsignDocuments } from './esign.ts';
import { listLocations, getFacility, listDiscountPlans } from './facilities.ts';
import {
  listGateAccess,
  getUnitGateAccess,
  listTimeZones,
  requestGateAccess,
} from './gate-access.ts';
import { uploadImage, getImage } from './images.ts';
import { listLedgerInsuranceStatuses, listInsuranceStatuses } from './insurance.ts';
import {
  listInsuranceCoverages,
  addInsurance,
  updateInsurance,
  submitInsuranceProof,
} from './insurance-plans.ts';
import { listLedgers } from './ledgers.ts';
import { createMaintenanceRequest } from './maintenance.ts';
import { scheduleMoveOut } from './move-out.ts';
import { getOverview } from './overview.ts';
import {
  getReceiptPaper,
  getTenantReceiptPaper,
  listStatements,
  getStatementPaper,
  listYearStatements,
  getYearStatementPaper,
} from './papers.ts';
import { getPayLink, payByLink } from './pay-links.ts';
import {
  addPasskey,
  confirmOptions,
  confirmSession,
  listPasskeys,
  passkeyOptions,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkeys.ts';
import { makePayment, listPastPayments, listPayments } from './payments.ts';
import { previewPayment } from './payment-preview.ts';
import { register, verify, updatePassword } from './registration.ts';
import { changeReminders, getReminders } from './reminders.ts';
import { confirmTexts, requestTexts, stopTexts } from './text-messages.ts';
import { logout } from './session.ts';
import { endSession, listSessions } from './sessions.ts';
import { login } from './sign-in.ts';
import {
  consentToSign,
  declineDocument,
  getSignedDocument,
  getSigning,
  getSigningLink,
  getSigningPdf,
  signDocument,
} from './signing.ts';
import { getTenant, updateTenant, requestTenantUpdate } from './tenants.ts';
import { answerRequest, listRequests } from './tracked-requests.ts';
import { getUnitContents, updateUnitContents } from './unit-contents.ts';
import {
  fileVehiclePaper,
  getVehiclePaper,
  listVehiclePapers,
  removeVehiclePaper,
} from './vehicle-papers.ts';
import { removeVehicle, saveVehicle, updateVehicle } from './vehicles.ts';

/**
 * Every call of the API under its name: what is tried for each call goes through this list, so that
 * none is left out.
 */
export const endpoints = {
  listAutopays,
  updateAutopay,
  stopAutopay,
  listCharges,
  listFiles,
  resendEsignDocuments,
  getSigning,
  getSigningPdf,
  consentToSign,
  signDocument,
  declineDocument,
  getSigningLink,
  getSignedDocument,
  listLocations,
  getFacility,
  listDiscountPlans,
  listGateAccess,
  getUnitGateAccess,
  listTimeZones,
  requestGateAccess,
  uploadImage,
  getImage,
  listLedgerInsuranceStatuses,
  listInsuranceStatuses,
  listInsuranceCoverages,
  addInsurance,
  updateInsurance,
  submitInsuranceProof,
  listLedgers,
  createMaintenanceRequest,
  scheduleMoveOut,
  getOverview,
  getReceiptPaper,
  getTenantReceiptPaper,
  listStatements,
  getStatementPaper,
  listYearStatements,
  getYearStatementPaper,
  makePayment,
  previewPayment,
  listPayments,
  listPastPayments,
  getPayLink,
  payByLink,
  register,
  verify,
  updatePassword,
  login,
  logout,
  listSessions,
  endSession,
  chooseLanguage,
  listPasskeys,
  passkeyOptions,
  addPasskey,
  renamePasskey,
  removePasskey,
  passkeySignInOptions,
  signInByPasskey,
  confirmOptions,
  confirmSession,
  getTenant,
  updateTenant,
  requestTenantUpdate,
  getCalendarFeed,
  createCalendarFeed,
  removeCalendarFeed,
  getReminders,
  changeReminders,
  requestTexts,
  confirmTexts,
  stopTexts,
  listRequests,
  answerRequest,
  getUnitContents,
  updateUnitContents,
  updateVehicle,
  saveVehicle,
  listVehiclePapers,
  fileVehiclePaper,
  removeVehiclePaper,
  getVehiclePaper,
  removeVehicle,
};
export type EndpointName = keyof typeof endpoints;
