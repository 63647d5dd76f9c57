import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './command.ts';
import { libraryDirectory } from './packages.ts';

const NEED_COMPILER =
  "A C compiler is needed to build rsyslog's omhttp, which Debian ships as source only: install gcc.";

/**
 * Compiles rsyslog's HTTP output from Debian's source of the rsyslog that runs, and puts it beside
 * the modules of the package.
 *
 * @param source a directory with the source package.
 * @param root where the packages with the headers are unpacked.
 */
export async function buildOmhttp(source: string, root: string): Promise<void> {
  const archive = (await readdir(source)).find((name) => name.includes('.orig.tar.'));
  if (archive === undefined) throw new Error('The source package of rsyslog has no archive.');
  await command('tar', ['-xf', archive, '--strip-components=1'], 'tar is missing.', {
    cwd: source,
  });
  const libraries = await libraryDirectory(root);
  const architecture = libraries.slice(libraries.lastIndexOf('/') + 1);
  const include = join(root, 'usr/include');
  const includes = [include, join(include, architecture), join(include, 'libfastjson')].map(
    (directory) => `-I${directory}`,
  );
  // What the modules share depends on config.h. Libraries are named here, so that pkg-config is not
  // needed; what the module does not use is left out.
  await command(
    './configure',
    ['--disable-libgcrypt', '--disable-uuid', '--disable-default-tests', '--enable-omhttp'],
    NEED_COMPILER,
    {
      cwd: source,
      env: {
        CPPFLAGS: includes.join(' '),
        LDFLAGS: `-L${libraries} -Wl,-rpath-link,${libraries}`,
        LIBESTR_CFLAGS: ' ',
        LIBESTR_LIBS: '-lestr',
        LIBFASTJSON_CFLAGS: ' ',
        LIBFASTJSON_LIBS: '-lfastjson',
        CURL_CFLAGS: ' ',
        CURL_LIBS: '-lcurl-gnutls',
        ZLIB_CFLAGS: ' ',
        ZLIB_LIBS: '-lz',
      },
    },
  );
  await command(
    'cc',
    [
      '-O2',
      '-shared',
      '-fPIC',
      '-w',
      '-D_GNU_SOURCE',
      '-DHAVE_CONFIG_H',
      '-I.',
      '-Iruntime',
      '-Igrammar',
      '-Itools',
      ...includes,
      'contrib/omhttp/omhttp.c',
      '-o',
      join(libraries, 'rsyslog/omhttp.so'),
      '-l:libcurl-gnutls.so.4',
    ],
    NEED_COMPILER,
    { cwd: source },
  );
}
