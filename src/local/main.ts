/**
 * Starts the service, after saying how many threads libuv is to have: it makes them at the first call that
 * needs one, which loading the rest of the program may be.
 *
 * DuckDB's statements hold such a thread while they run: those of callers, and one each of those that load,
 * convert, merge and compact. Libuv's own four would then leave none for the log and the registry. Threads
 * without work cost nothing.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
await import('./program.ts');

export {};
