import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/**
 * The programs of Debian's packages, and the user that PostgreSQL runs as where this process is
 * root.
 */
export type Programs = {
  haproxy: string;
  patroni: string;
  etcd: string;
  postgresBin: string;
  user: { uid: number; gid: number } | undefined;
};

const VERSIONS = '/usr/lib/postgresql';

/** Finds them all, or answers the sentence that says what is missing. */
export function findPrograms(): Programs | string {
  const [haproxy, patroni, etcd] = [
    '/usr/sbin/haproxy',
    '/usr/bin/patroni',
    '/usr/bin/etcd',
  ] as const;
  const versions = existsSync(VERSIONS)
    ? readdirSync(VERSIONS).filter((name) => Number(name) >= 15)
    : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  const missing = [
    ...(existsSync(haproxy) ? [] : ['haproxy']),
    ...(existsSync(patroni) ? [] : ['patroni']),
    ...(existsSync(etcd) ? [] : ['etcd-server']),
    ...(newest === undefined ? ['postgresql'] : []),
  ];
  if (missing.length > 0)
    return `The failover drill needs packages of Debian that are not here: apt-get install ${missing.join(' ')}.`;
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  return { haproxy, patroni, etcd, postgresBin: `${VERSIONS}/${newest}/bin`, user };
}

/** PostgreSQL refuses to run as root; its package made this user. */
function idOf(what: '-u' | '-g'): number {
  return Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
}
