import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { bareTexts } from './bare-texts.ts';

const root = join(import.meta.dirname, '..', '..');

/** One file that is not on the disk, next to those that are. */
const sample = join(root, 'web', 'src', 'sample.tsx');

/** Each line says whether it is safe, after its code. */
const samples = `
import { Button as LibraryButton } from '@mui/material';
import type { ReactNode } from 'react';
declare function t(text: string, values?: object): string;
declare function rich(text: string, values: object): ReactNode;
declare const sum: string, count: number, isDue: boolean, names: string[], hint: ReactNode;
const kept = [
  <b>{sum}</b>, // safe
  <b>{isDue ? sum : null}</b>, // safe
  <b>{isDue ? sum : <i />}</b>, // safe
  <b>{\`\${sum} of \${count}\`}</b>, // safe
  <b>Fixed <i>{sum}</i> and fixed</b>, // safe
  <b>{isDue && <i />} <span>{sum}</span></b>, // safe
  <b>{t('Fixed')}<i /></b>, // safe
  <b>{sum} due</b>,
  <b><i />{sum}</b>,
  <b>{isDue && <i />}Fixed</b>,
  <b>{t('Fixed')}{isDue && <i />}</b>,
  <b><i />{t('Pay {sum}', { sum })}</b>,
  <b>{isDue ? 'one' : 'two'}<i /></b>,
  <b>{names}</b>,
  <>{sum}</>,
  <>Fixed</>,
  <b>{rich('See {link}', { link: <i /> })}</b>, // safe
  <b>{rich('See {sum}', { sum })}</b>,
  <b>{isDue ? rich('See {link}', { link: <i /> }) : sum}</b>,
];
function Bare() { return sum; }
function Around({ children }: { children: ReactNode }) { return <b>{children}</b>; } // safe
function WithIcon({ children }: { children: ReactNode }) { return <b><i />{children}</b>; } // safe
function Labelled({ label }: { label: ReactNode }) { return <WithIcon>{label}</WithIcon>; } // safe
function Late({ children }: { children: () => ReactNode }) { return children(); } // safe
const given = [
  <Around>{sum}</Around>, // safe
  <WithIcon><i>{sum}</i></WithIcon>, // safe
  <WithIcon>{sum}</WithIcon>,
  <WithIcon>Fixed</WithIcon>,
  <WithIcon>{hint}</WithIcon>, // safe
  <Labelled label={<i />} />, // safe
  <Labelled label={sum} />,
  <Labelled label="Fixed" />,
  <Late>{() => <i>{sum}</i>}</Late>, // safe
  <Late>{() => sum}</Late>,
  <LibraryButton>Fixed</LibraryButton>, // safe
  <LibraryButton>{sum}</LibraryButton>,
];
`;

const config = (workspace: string) =>
  ts.getParsedCommandLineOfConfigFile(join(root, workspace, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, ' '));
    },
  })!;

const screens = ['web', 'office'].flatMap((workspace) =>
  readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => join(root, workspace, 'src', file)),
);

/** Both workspaces in one program: half of its time is for what they share. */
function programOf(): ts.Program {
  const { options, fileNames } = config('web');
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => file === sample || ts.sys.fileExists(file);
  host.readFile = (file) => (file === sample ? samples : ts.sys.readFile(file));
  const declarations = fileNames.filter((file) => dirname(file) === join(root, 'web', 'src'));
  return ts.createProgram([...screens, ...declarations, sample], options, host);
}

test('every text of portal and office survives that the browser translates the page', () => {
  const program = programOf();
  const lines = samples.split('\n');
  const safe = bareTexts(program, [sample]).map(
    (place) => lines[Number(place.split(':').at(-1)) - 1],
  );
  const unsafe = lines.filter(
    (line) => /^( {2}<|function )/.test(line) && !line.endsWith('// safe'),
  );
  expect(safe.toSorted()).toEqual(unsafe.toSorted());
  expect(bareTexts(program, screens)).toEqual([]);
});
