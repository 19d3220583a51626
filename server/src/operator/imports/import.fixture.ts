import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import type { TestApp } from '#test/app.ts';
import { urlOf } from '#test/cli.ts';
import { exportFolder } from './export.ts';
import { faultText } from './faults.ts';
import { importFolder, type ImportResult } from './import.ts';

/** The instant of the imports of `sound`. */
export const NOW = new Date('2026-11-21T15:00:00Z');
const folders: string[] = [];

/** Deletes the folders that a test file has made. */
export async function deleteFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
}

/** The files of a sound import by their names; a test changes what matters to it. */
export type Files = Record<string, string>;

export const sound: Files = {
  'corporation.csv': 'code,name\nANCHOR,Anchor & Axle\n',
  'facilities.csv':
    'facility,name,phone,email,street1,city,region,postal_code,time_zone,late_fee\n' +
    'TXDFW03,Eagle Mountain,8175550103,eagle@example.com,4100 Marina Drive,Fort Worth,TX,76135,America/Chicago,$15.00\n',
  'protection-plans.csv':
    'facility,protection_plan_id,description,coverage,premium\nTXDFW03,P5,$5000 plan,"5,000",14\n',
  'discount-plans.csv': 'facility,discount_plan_id,name,percent\nTXDFW03,MIL,Military 10%,10%\n',
  'units.csv':
    'facility,unit,width_feet,length_feet,unit_type\nTXDFW03,A101,12,40,RV\nTXDFW03,B207,12,30,Boat\n',
  'tenants.csv':
    'facility,tenant_id,first_name,last_name,email,phone,street1,city,region,postal_code,drivers_license_number,drivers_license_state\n' +
    'TXDFW03,T1,Dana,Reyes,dana@example.com,(817) 555-0142,18 Heron Lane,Azle,TX,76020,19384756,TX\n' +
    'TXDFW03,T2,Lee,Okafor,lee@example.com,,902 Sunset Trail,Saginaw,TX,76179,,\n',
  'ledgers.csv':
    'facility,ledger_id,tenant_id,unit,moved_in_on,rental_rate,paid_through,next_billing_on,balance,discount_plan_id\n' +
    'TXDFW03,L1,T1,A101,9/14/2026,$200.00,11/13/2026,12/14/2026,215.00,\n' +
    'TXDFW03,L2,T2,B207,2025-01-31,168,2026-11-29,,0,MIL\n',
  'charges.csv':
    'facility,charge_id,ledger_id,category,description,due_on,period_end,price,late_for\n' +
    'TXDFW03,C1,L1,rent,Rent October,10/14/2026,11/13/2026,200.00,\n' +
    'TXDFW03,C2,L1,rent,Rent November,46340,12/13/2026,200.00,\n' +
    'TXDFW03,C3,L1,fee,Late fee,11/19/2026,,15.00,C2\n',
  'payments.csv':
    'facility,payment_id,ledger_id,paid_on,amount,description,receipt_number\n' +
    'TXDFW03,PAY1,L1,2026-10-14,200.00,Visa ending in 4242,2000001\n',
  'insurance.csv':
    'facility,insurance_id,ledger_id,kind,protection_plan_id,company,policy_number,coverage,starts_on,ends_on\n' +
    'TXDFW03,I1,L1,plan,P5,,,,2026-09-14,\nTXDFW03,I2,L2,private,,Lone Star,LSM-1,25000,2026-01-01,2027-01-01\n',
  'unit-contents.csv': 'facility,ledger_id,contents\nTXDFW03,L2,boat:FWC48217C414\n',
  'vehicles.csv':
    'facility,ledger_id,license_plate,description\nTXDFW03,L2,TX - 4471KB,2014 Four Winns\n',
  'further-vehicles.csv':
    'facility,ledger_id,contents,license_plate,description\nTXDFW03,L2,vehicle:1UYVS2538GU,77 TRL,Trailer\n',
  'gate-codes.csv': 'facility,ledger_id,access_code\nTXDFW03,L1,4821#\nTXDFW03,L2,1733#\n',
  'esign-documents.csv':
    'facility,document_id,ledger_id,form_name,envelope_status\nTXDFW03,D1,L1,Rental Agreement,sent\n',
  'gateway-tokens.csv':
    'facility,payment_method_id,tenant_id,type,gateway_token,customer,brand,last_four,expires_on,holder_name,postal_code,funding\n' +
    'TXDFW03,M1,T2,creditCard,pm_1Nv0FGQ9RKHgCVdK,cus_9s6XKzkNRiz8i3,Visa,4242,04/2030,Lee Okafor,76179,credit\n',
  'autopay.csv':
    'facility,ledger_id,payment_method_id,agreed_on,consent_text\nTXDFW03,L2,M1,2026-01-31,"I authorize, on each due date"\n',
};

/** A second facility next to the first, as a sound part of the same files. */
const second: Files = {
  'facilities.csv':
    'AZPHX01,Lake Pleasant,,,33100 N Harbor View Road,Peoria,AZ,85383,America/Phoenix,\n',
  'units.csv': 'AZPHX01,P118,12,35,RV\n',
  'tenants.csv':
    'AZPHX01,T1,Maria,Castellanos,maria@example.com,,7715 W Saguaro Way,Peoria,AZ,85345,,\n',
  'ledgers.csv': 'AZPHX01,L1,T1,P118,2026-06-02,175,2026-12-01,,0,\n',
};

/** The files of both facilities. */
export function both(): Files {
  return Object.fromEntries(
    Object.entries(sound).map(([name, text]) => [name, text + (second[name] ?? '')]),
  );
}

/** Writes the files into a new folder and answers its path. */
export async function written(files: Files): Promise<string> {
  const folder = await newFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'));
  folders.push(folder);
  return folder;
}

/** Runs work on a connection of the owner's of its own, as the commands do. */
export async function onOwner<T>(api: TestApp, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openOwnerDatabase(await urlOf(api));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Imports files, or a folder, as the command does. */
export async function importInto(
  api: TestApp,
  files: Files | string,
  isDryRun = false,
  lateFrom: string | null = null,
  joined: string[] = [],
): Promise<ImportResult> {
  const folder = typeof files === 'string' ? files : await written(files);
  const { vault, clock } = api.ctx;
  const given = { corporationCode: 'ANCHOR', lateFrom, joined, onProgress: () => {} };
  const context = { vault, clock, mail: api.ctx, ...given };
  return onOwner(api, (db) => importFolder({ ...context, db }, folder, isDryRun));
}

/** Exports everything into a new folder and answers its path. */
export async function exported(api: TestApp, withSecrets = true): Promise<string> {
  const folder = await newFolder();
  const { vault, clock } = api.ctx;
  const order = { vault, clock, corporationCode: 'ANCHOR', folder, facility: null, withSecrets };
  await onOwner(api, (db) => exportFolder({ ...order, db, onProgress: () => {} }));
  return folder;
}

/** The faults in sentences. */
export const faultsOf = ({ faults }: ImportResult) => faults.listed.map(faultText);

/** Every row of every table that an import fills, except for times. */
export async function rowsOf(owner: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`.execute(owner);
  const all: string[] = [];
  for (const { name } of rows) {
    const { rows: found } = await sql<{
      row: string;
    }>`SELECT t::text AS row FROM ${sql.table(name)} t ORDER BY 1`.execute(owner);
    all.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return all;
}
