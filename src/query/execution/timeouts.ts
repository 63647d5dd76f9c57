/** How long a caller waits. API Gateway ends a call after 29 s; the rest is for rendering the rows. */
export const CALL_DEADLINE_MS = 25_000;

/**
 * How long a query may run, and how long an equal call can collect its rows, counted from its start.
 * Far past any dashboard's patience, well below Athena's own limit of 30 minutes.
 */
export const RUN_LIMIT_MS = 600_000;

/**
 * How long an execution goes on after its callers' time was up, where nothing is cached and the engine has few
 * places: callers who want the rows ask again by then.
 */
export const ABANDONED_MS = 30_000;

/** Pauses between two looks at a lease whose query another process is about to start. */
export const LEASE_POLL = { firstMs: 100, factor: 2, capMs: 1_000 } as const;
