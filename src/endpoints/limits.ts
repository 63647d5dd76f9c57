/** How long a caller waits. API Gateway ends a call after 29 s; the rest is for rendering the rows. */
export const CALL_DEADLINE_MS = 25_000;

/**
 * How long a run may go on, and how long an identical call can pick it up, counted from its start.
 * Far past any dashboard's patience, well below Athena's own limit of 30 minutes.
 */
export const RUN_LIMIT_MS = 600_000;

/**
 * How long a run goes on after its callers' time was up, where nothing is cached and the engine has few
 * places: who wants the rows asks again by then.
 */
export const ABANDONED_MS = 30_000;

/** How much longer a caller waits for a run that ended as its time was up: its rows are being read. */
export const LAST_MOMENT_MS = 2_000;

/** A lease outlives three missed renewals, so a crashed process blocks its key for ten seconds. */
export const LEASE_MS = 10_000;
export const LEASE_RENEWAL_MS = 3_000;

/** Pauses between two looks at a lease that another process holds. */
export const LEASE_POLL = { firstMs: 100, factor: 2, capMs: 1_000 } as const;
