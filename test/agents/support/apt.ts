import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './command.ts';

const NEED_APT =
  'The agents are tested with packages of Debian: run this suite on Debian 12, where apt-get is.';
/** A line of `apt-cache madison`: name, version, site, suite, component. */
const OFFER = /^ *\S+ \| +(\S+) \| (http\S+) ([^\s/]+)\/(\S+) \S+ Packages$/gm;
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * apt with the sources and keys of the machine, but with lists and a cache of its own: it neither
 * needs root nor changes the machine.
 */
export class Apt {
  readonly #cache: string;
  readonly #options: readonly string[];

  private constructor(cache: string, sourceList?: string) {
    this.#cache = cache;
    const settings = {
      'Dir::State::Lists': join(cache, 'lists'),
      'Dir::Cache': join(cache, 'cache'),
      // Locks are the machine's, and its user for downloads cannot write here.
      'Debug::NoLocking': '1',
      'APT::Sandbox::User': 'root',
      ...(sourceList && {
        'Dir::Etc::SourceList': sourceList,
        'Dir::Etc::SourceParts': '/dev/null',
      }),
    };
    this.#options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  }

  /** Fetches the lists of packages. @throws Error on a machine without apt or without its sources. */
  static async open(cache: string, sourceList?: string): Promise<Apt> {
    const apt = new Apt(cache, sourceList);
    await mkdir(join(cache, 'lists', 'partial'), { recursive: true });
    await mkdir(join(cache, 'cache', 'archives', 'partial'), { recursive: true });
    await apt.#run('apt-get', ['update']);
    return apt;
  }

  /** Downloads packages, and those that they need and the machine lacks, as `.deb` files. */
  async download(packages: readonly string[], directory: string): Promise<void> {
    const plan = await this.#run('apt-get', [
      'install',
      '--simulate',
      '--no-install-recommends',
      ...packages,
    ]);
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
    const wanted = new Set([...packages, ...missing]);
    await this.#run('apt-get', ['download', ...wanted], directory);
  }

  /**
   * Downloads a source package, checked against Debian's signatures: of the newest version, else of an
   * older one of the same upstream version, because mirrors may lack the sources of security updates.
   */
  async downloadSource(name: string, directory: string): Promise<void> {
    const offers = await this.#run('apt-cache', ['madison', name]);
    const found = [...offers.matchAll(OFFER)].map(([, version = '', site, suite, component]) => ({
      version,
      list: `deb-src [signed-by=${KEYRING}] ${site} ${suite} ${component}`,
    }));
    const cache = join(this.#cache, 'sources');
    await mkdir(cache, { recursive: true });
    const sourceList = join(cache, 'sources.list');
    await writeFile(sourceList, [...new Set(found.map(({ list }) => `${list}\n`))].join(''));
    const sources = await Apt.open(cache, sourceList);
    const upstream = upstreamOf(found[0]?.version);
    const failures: unknown[] = [];
    for (const { version } of found.filter((offer) => upstreamOf(offer.version) === upstream)) {
      try {
        const args = ['source', '--download-only', `${name}=${version}`];
        await sources.#run('apt-get', args, directory);
        return;
      } catch (failure) {
        failures.push(failure);
      }
    }
    throw new AggregateError(failures, `No source package of ${name} could be downloaded.`);
  }

  #run(name: string, args: readonly string[], cwd?: string): Promise<string> {
    return command(name, [...this.#options, ...args], NEED_APT, cwd === undefined ? {} : { cwd });
  }
}

/** `8.2302.0` of `8.2302.0-1+deb12u2`. */
function upstreamOf(version: string | undefined): string | undefined {
  return version?.replace(/-[^-]*$/, '');
}
