import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agent, freePort, startAgent } from './agent.ts';
import { documented } from './configuration.ts';
import type { Place } from './place.ts';
import type { Target, Unpacked } from './syslog-ng.ts';

type Listening = Agent & { readonly port: number };

/** rsyslog with the configuration of docs/clients/rsyslog.md that posts to the service itself. */
export async function startRsyslog(
  unpacked: Unpacked,
  here: Place,
  { url, inbox }: Target,
): Promise<Listening> {
  const { hostname, port: servicePort } = new URL(url);
  const port = await freePort();
  const configuration = await documented('rsyslog.md', 'rsyslog', {
    'server="logs.example.com" serverport="443" useHttps="on"': `server="${hostname}" serverport="${servicePort}" useHttps="off"`,
    'X-API-KEY: KEY': `X-API-KEY: ${inbox.key}`,
    'SOURCE-UUID': inbox.source.token,
    'port="601"': `port="${port}"`,
    '/var/log/app/app.log': join(here.path, 'app.log'),
    '/var/spool/rsyslog': here.spool,
  });
  return start(unpacked, here, configuration, port);
}

/** rsyslog with the configuration of docs/clients/rsyslog.md that hands over to syslog-ng. */
export async function startForwarder(
  unpacked: Unpacked,
  here: Place,
  to: { readonly port: number },
): Promise<Listening> {
  const port = await freePort();
  const configuration = await documented('rsyslog.md', 'rsyslog-forward', {
    'target="syslog-ng.example.com" port="601"': `target="127.0.0.1" port="${to.port}"`,
    'port="514"': `port="${port}"`,
    '/var/log/app/app.log': join(here.path, 'forwarded.log'),
    '/var/spool/rsyslog': here.spool,
  });
  return start(unpacked, here, configuration, port);
}

async function start(
  { root, libraries }: Unpacked,
  here: Place,
  configuration: string,
  port: number,
): Promise<Listening> {
  const file = join(here.path, 'rsyslog.conf');
  await writeFile(file, configuration);
  const agent = await startAgent(
    join(root, 'usr/sbin/rsyslogd'),
    [
      '-n',
      '-C',
      '-f',
      file,
      '-i',
      join(here.path, 'rsyslog.pid'),
      '-M',
      join(libraries, 'rsyslog'),
    ],
    { libraryPath: [libraries], port },
  );
  return { ...agent, port };
}
