import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Clock } from '#adapters/clock.ts';
import type { FileStore } from '#adapters/files/files.ts';
import type { Vault } from '#crypto/vault.ts';
import { makeVehiclePaper, type Owner } from './builders.ts';

/** The paper of the demo world expires in this many days. */
const EXPIRES_IN_DAYS = 20;

/**
 * Files the registration of Dana's boat, which expires soon. Apart from the demo world's rows,
 * because its file goes into the store of a server.
 */
export async function seedDemoPaper(
  owner: Owner,
  vault: Vault,
  files: FileStore,
  clock: Clock,
): Promise<void> {
  const rental = await owner
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .innerJoin('facilities as f', 'f.id', 'u.facility_id')
    .select(['l.id', 'f.time_zone as timeZone'])
    .where('f.location_code', '=', 'TXDFW03')
    .where('u.name', '=', 'B207')
    .executeTakeFirstOrThrow();
  const now = clock.now();
  const today = calendarDateIn(rental.timeZone, now);
  const bytes = drawExample([
    'Certificate of registration',
    '2014 Four Winns H200, HIN FWC48217C414, TX - 4471KB',
    'This is an example and no paper of an authority.',
  ]);
  const fileKey = randomUUID();
  await files.put(fileKey, bytes, 'application/pdf');
  await makeVehiclePaper(owner, vault, {
    ledger_id: rental.id,
    number: 'TX-4471KB-2025',
    expires_on: addDays(today, EXPIRES_IN_DAYS),
    file_name: 'registration.pdf',
    bytes: bytes.length,
    file_key: fileKey,
    // Long ago, so that its reminders come.
    created_at: new Date(now.getTime() - 300 * 86_400_000),
  });
}

/** A PDF of one page with a few lines, which hold neither brackets nor backslashes. */
function drawExample(lines: string[]): Buffer {
  const text = lines.map((line) => `(${line}) Tj T*`).join('\n');
  const content = `BT /F1 14 Tf 24 TL 72 700 Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = pdf.length;
  pdf += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${pdf}startxref\n${start}\n%%EOF\n`);
}
