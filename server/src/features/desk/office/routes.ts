import {
  listAlarms,
  listAudit,
  listDifferences,
  verifyAudit,
} from '@gatehouse/contract/office/audit';
import {
  cancelImport,
  getImport,
  importLeases,
  listImports,
  listUndeliverable,
} from '@gatehouse/contract/office/imports';
import { listInsurance } from '@gatehouse/contract/office/insurance';
import { getJournal } from '@gatehouse/contract/office/journal';
import {
  keepLateTemplate,
  listLate,
  listLateTemplates,
  removeLateTemplate,
} from '@gatehouse/contract/office/late';
import { listRates } from '@gatehouse/contract/office/rates';
import { getReportPaper, getReportTable } from '@gatehouse/contract/office/report-tables';
import {
  getAging,
  getDepositDay,
  getDeposits,
  getOccupancy,
  getRentRoll,
  getRevenue,
} from '@gatehouse/contract/office/reports';
import {
  answerRequest,
  getOfficeRequest,
  getRequestPhoto,
  listOfficeRequests,
} from '@gatehouse/contract/office/requests';
import {
  cancelFacilityChange,
  changeFacility,
  changeRecipient,
  getFacilityFile,
  getFormSample,
} from '@gatehouse/contract/office/settings';
import { getToday } from '@gatehouse/contract/office/today';
import { getUnit, listUnits } from '@gatehouse/contract/office/units';
import { getPaperOfRental, listExpiringPapers } from '@gatehouse/contract/office/vehicle-papers';
import {
  keepTemplate,
  listTemplates,
  removeTemplate,
} from '#features/money/late-notices/templates.ts';
import { readJournal } from '#features/money/journal/journal.ts';
import { findDeposits } from '#features/money/reports/deposits.ts';
import { drawSample } from '#features/service/esign/forms.ts';
import { findUndeliverable } from '#features/people/users/invite.ts';
import type { OfficeRoutes } from '#http/office-routes.ts';
import { checkAudit, findAlarms, findAudit, findDifferences } from './audit.ts';
import { readDepositDay } from './deposit-day.ts';
import { refuseForged } from './keyset.ts';
import { cancelImport as cancelImportOf, findImports, readImport, startImport } from './imports.ts';
import { findInsuranceOf } from './insurance.ts';
import { findLate } from './late.ts';
import { placesOf } from './places.ts';
import { findRates } from './rates.ts';
import { changeRecipient as changeRecipientOf } from './recipients.ts';
import { readReportTable } from './report-tables.ts';
import { drawReport } from './report-papers.ts';
import { readAging, readOccupancy, readRentRoll, readRevenue } from './reports.ts';
import { answer, findRequests, readPhoto, readRequest } from './requests.ts';
import { cancelChange, changeSettings, readFacility } from './settings.ts';
import { readToday } from './today.ts';
import { findUnits, readUnit } from './units.ts';
import { findExpiringPapers, showPaper } from './vehicle-papers.ts';

/** The office's calls about the day, units, money, requests and settings. */
export function officeRoutes(routes: OfficeRoutes): void {
  reportRoutes(routes);
  const { staff: staffRoute } = routes;
  staffRoute(listExpiringPapers, ({ ctx, query, staff }) =>
    findExpiringPapers(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(getPaperOfRental, ({ ctx, work, params, query, staff, origin }) => {
    const ledgerId = params.ledgerId.toLowerCase();
    return showPaper(ctx, work, staff, { ...params, ...query, ledgerId }, origin);
  });
  staffRoute(getToday, ({ ctx, query, staff }) => readToday(ctx, staff, query.locationCode));
  staffRoute(listUnits, ({ ctx, query, staff }) =>
    findUnits(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(getUnit, ({ ctx, params, staff }) =>
    readUnit(ctx, params.unitId, placesOf(staff, undefined)),
  );
  staffRoute(listInsurance, ({ ctx, query, staff }) =>
    findInsuranceOf(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(listLate, ({ ctx, query, staff }) =>
    findLate(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(listLateTemplates, ({ ctx, params, staff }) =>
    listTemplates(ctx.db, staff, params.facilityId),
  );
  staffRoute(keepLateTemplate, ({ work, params, body, staff, origin }) =>
    keepTemplate(work, staff, { ...params, ...body }, origin),
  );
  staffRoute(removeLateTemplate, ({ work, params, staff, origin }) =>
    removeTemplate(work, staff, params, origin),
  );
  staffRoute(listRates, ({ ctx, query, staff }) =>
    findRates(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );

  staffRoute(listOfficeRequests, ({ ctx, query, staff }) =>
    findRequests(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(getOfficeRequest, ({ ctx, params, staff }) =>
    readRequest(ctx, params.requestId, placesOf(staff, undefined)),
  );
  staffRoute(getRequestPhoto, ({ ctx, params, staff }) =>
    readPhoto(ctx, params.requestId, placesOf(staff, undefined)),
  );
  staffRoute(answerRequest, ({ ctx, work, params, body, staff, origin }) =>
    answer(ctx, work, staff, { ...params, ...body }, origin),
  );

  staffRoute(getFacilityFile, ({ ctx, params, staff }) =>
    readFacility(ctx.db, staff, params.facilityId),
  );
  staffRoute(getFormSample, ({ ctx, params, staff }) =>
    drawSample(ctx, params.formId, placesOf(staff, undefined)),
  );
  staffRoute(changeFacility, ({ work, params, body, staff, origin }) =>
    changeSettings(work, staff, { ...params, ...body }, origin),
  );
  staffRoute(cancelFacilityChange, ({ work, params, body, staff, origin }) =>
    cancelChange(work, staff, { ...params, ...body }, origin),
  );

  staffRoute(changeRecipient, ({ work, params, body, staff, origin }) =>
    changeRecipientOf(work, staff, { ...params, ...body }, origin),
  );

  staffRoute(importLeases, ({ work, body, staff, origin }) =>
    startImport(work, staff, body, origin),
  );
  staffRoute(getImport, ({ work, params, staff }) =>
    readImport(work, staff.staffId, params.importId),
  );
  staffRoute(listImports, ({ work }) => findImports(work));
  staffRoute(cancelImport, ({ work, params }) => cancelImportOf(work, params.importId));
  staffRoute(listUndeliverable, ({ work, staff }) =>
    findUndeliverable(work, placesOf(staff, undefined)),
  );

  staffRoute(listAudit, ({ ctx, work, query, staff }) =>
    findAudit(ctx, work, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(verifyAudit, ({ work }) => checkAudit(work));
  staffRoute(listAlarms, ({ ctx, query, staff }) =>
    findAlarms(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(listDifferences, ({ ctx, query }) => findDifferences(ctx, query).catch(refuseForged));
}

function reportRoutes({ staff: staffRoute }: OfficeRoutes): void {
  staffRoute(getDeposits, ({ ctx, query, staff }) =>
    findDeposits(ctx.db, { on: query.on, facilityIds: placesOf(staff, query.locationCode) }),
  );
  staffRoute(getDepositDay, ({ ctx, work, query, staff }) =>
    readDepositDay(ctx, work, staff, {
      on: query.on,
      places: placesOf(staff, query.locationCode),
    }),
  );
  staffRoute(getRentRoll, ({ ctx, query, staff }) =>
    readRentRoll(ctx, query, placesOf(staff, query.locationCode)).catch(refuseForged),
  );
  staffRoute(getAging, ({ ctx, query, staff }) =>
    readAging(ctx, query, placesOf(staff, query.locationCode)),
  );
  staffRoute(getOccupancy, ({ ctx, query, staff }) =>
    readOccupancy(ctx, query, placesOf(staff, query.locationCode)),
  );
  staffRoute(getRevenue, ({ ctx, query, staff }) =>
    readRevenue(ctx, query, placesOf(staff, query.locationCode)),
  );
  staffRoute(getReportTable, ({ ctx, query, staff }) =>
    readReportTable(ctx, query, placesOf(staff, query.locationCode)),
  );
  staffRoute(getReportPaper, ({ ctx, query, staff }) =>
    drawReport(ctx, query, placesOf(staff, query.locationCode)),
  );
  staffRoute(getJournal, ({ ctx, query, staff }) =>
    readJournal(ctx, query, placesOf(staff, query.locationCode)),
  );
}
