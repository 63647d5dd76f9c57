/** What queries may take of this machine; set by `SLUICE_…` variables, see `readConfig`. */
export interface LocalLimits {
  /** Memory of the query engine, MiB. */
  readonly queryMemoryMiB: number;
  /** Disk that running queries may take for what does not fit into it, MiB. */
  readonly spillMiB: number;
  /** Text of all cells of one result, MiB. */
  readonly resultMiB: number;
  /** Results that are kept, compressed, MiB. */
  readonly cacheMiB: number;
  /** Queries of one access key that run at a time. */
  readonly queriesPerKey: number;
}

/** Queries of all callers that run at a time. */
export const CONCURRENT_QUERIES = 4;

/**
 * The whole process then stays below 1.5 GiB, and a caller leaves at least one place to others. A result
 * costs several times its size while it is read, compressed and answered.
 */
export const DEFAULT_LOCAL_LIMITS: LocalLimits = {
  queryMemoryMiB: 768,
  spillMiB: 2_048,
  resultMiB: 32,
  cacheMiB: 512,
  queriesPerKey: CONCURRENT_QUERIES - 1,
};
