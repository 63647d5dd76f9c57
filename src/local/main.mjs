/**
 * Starts the service. This file is JavaScript that every Node can read, so that one which is too old says
 * what is wrong, where TypeScript would end it with a syntax error.
 *
 * Before the rest of the program is loaded, it says how many threads libuv is to have: libuv makes them at
 * the first call that needs one, which loading may be. DuckDB's statements hold such a thread while they
 * run: those of callers, and one each of those that load, convert, merge and compact. Libuv's own four would
 * then leave none for the log and the registry. Threads without work cost nothing.
 */
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `Sluice needs Node ${NEEDED} or later, and this is Node ${process.versions.node}. "npm ci" installs a Node ${NEEDED} ` +
      'in node_modules, and "npm start" uses that one. If it is not there, npm was kept from running install ' +
      'scripts: run "npm rebuild node".\n',
  );
  process.exitCode = 1;
} else {
  if (process.env.UV_THREADPOOL_SIZE === undefined) process.env.UV_THREADPOOL_SIZE = '16';
  await import('./program.ts');
}
