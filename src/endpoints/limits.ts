/** How long a caller waits. API Gateway ends a call after 29 s; the rest is for rendering the rows. */
export const CALL_DEADLINE_MS = 25_000;

/**
 * How long a run goes on after its callers' time was up, where nothing is cached and the engine has few
 * places: who wants the rows asks again by then.
 */
export const ABANDONED_MS = 30_000;

/** How much longer a caller waits for a run that ended as its time was up: its rows are being read. */
export const LAST_MOMENT_MS = 2_000;

/** Pauses between two looks at a lease that another process holds. */
export const LEASE_POLL = { firstMs: 100, factor: 2, capMs: 1_000 } as const;
