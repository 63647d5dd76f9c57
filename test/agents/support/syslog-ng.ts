import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inbox } from '../../clients/support/service.ts';
import { type Agent, freePort, startAgent } from './agent.ts';
import { documented } from './configuration.ts';
import type { Place } from './place.ts';

export interface Unpacked {
  /** What stands for `/`. */
  readonly root: string;
  readonly libraries: string;
}

export interface Target {
  /** Of the service. */
  readonly url: string;
  readonly inbox: Inbox;
}

/** syslog-ng with the configuration of docs/clients/syslog-ng.md. */
export async function startSyslogNg(
  { root, libraries }: Unpacked,
  here: Place,
  { url, inbox }: Target,
): Promise<Agent & { readonly port: number }> {
  const port = await freePort();
  const configuration = await documented('syslog-ng.md', 'syslog-ng', {
    'https://logs.example.com': url,
    'X-API-KEY: KEY': `X-API-KEY: ${inbox.key}`,
    'SOURCE-UUID': inbox.source.token,
    'port(601)': `port(${port})`,
    '/var/log/app/app.log': join(here.path, 'app.log'),
    '/var/lib/syslog-ng': here.spool,
  });
  const file = join(here.path, 'syslog-ng.conf');
  await writeFile(file, configuration);
  const home = join(root, 'usr/lib/syslog-ng');
  const agent = await startAgent(
    join(root, 'usr/sbin/syslog-ng'),
    [
      '--foreground',
      '--no-caps',
      `--cfgfile=${file}`,
      `--module-path=${await moduleDirectory(home)}`,
      `--persist-file=${join(here.path, 'persist')}`,
      `--pidfile=${join(here.path, 'pid')}`,
      `--control=${join(here.path, 'control')}`,
    ],
    { libraryPath: [libraries, join(root, 'lib', nameOf(libraries)), home], port },
  );
  return { ...agent, port };
}

/** Modules lie in a directory that is named after the version. */
async function moduleDirectory(home: string): Promise<string> {
  const version = (await readdir(home)).find((name) => /^\d/.test(name));
  if (version === undefined) throw new Error(`${home} has no modules.`);
  return join(home, version);
}

function nameOf(libraries: string): string {
  return libraries.slice(libraries.lastIndexOf('/') + 1);
}
