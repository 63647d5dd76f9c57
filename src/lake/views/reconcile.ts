import type { SourceSchema } from '../../catalog/source-schema.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapWithConcurrency } from '../../platform/concurrency/map-with-concurrency.ts';
import type { Sleep } from '../../platform/concurrency/sleep.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { desiredViews, type LakeState } from './desired-state.ts';
import { fingerprint, isDue, type MadeView, obsolete } from './diff.ts';
import type { ViewedTables } from './events-view.ts';
import type { NamedSource } from './names.ts';
import { dropStatement, replaceStatement, type View } from './view.ts';
import type { ViewRecords, ViewStatements } from './view-store.ts';

/** What the sync reads of the registry. */
export interface ViewRegistry {
  listSources(): Promise<readonly NamedSource[]>;
  schema(token: string): Promise<SourceSchema>;
  /** How far compaction got; milliseconds since the epoch, undefined before it began. */
  watermark(): Promise<number | undefined>;
}

export interface ViewReconcilerDeps {
  readonly registry: ViewRegistry;
  readonly records: ViewRecords;
  readonly statements: ViewStatements;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep: Sleep;
  /** @default the tables' names in the lake's database */
  readonly tables?: ViewedTables;
}

export interface ReconcileOutcome {
  readonly replaced: number;
  readonly dropped: number;
  /** Steps that had to be left to a later run. */
  readonly left: number;
}

/** Time for all that one run begins, milliseconds; a later run goes on where this one stopped. */
export const RUN_MS = 240_000;
/** How long one statement may take, milliseconds. Most take one or two seconds. */
export const STATEMENT_MS = 45_000;
/**
 * Longer than a run can take, with minutes to spare for a statement that it gave up waiting for; so no
 * two runs change views at once.
 */
const LEASE_MS = 600_000;
/** Statements at once: the account runs 20 of this kind, and others want some. */
const PARALLEL = 4;
const PARALLEL_READS = 8;
const WAIT_MS = 5_000;

/**
 * Makes the views what sources, schemas and watermark say they should be. It is told that something
 * changed, never what: it reads the whole state, compares it with the records of what it made, and does
 * the difference. So a lost, doubled or late call costs time and nothing else.
 *
 * Every step is safe to repeat: the record of a view is marked before its statement and settled after
 * it, and a marked one is made again. New views are made before old ones are dropped, so that a source
 * that is renamed always has one.
 */
export class ViewReconciler {
  readonly #deps: ViewReconcilerDeps;

  constructor(deps: ViewReconcilerDeps) {
    this.#deps = deps;
  }

  /**
   * @throws ServiceError `views_busy` (503) when another run took too long, `views_incomplete` (502)
   *   when statements failed; the others were carried out, and the next run tries the failed ones
   *   again. Errors of the registry.
   */
  async run(): Promise<ReconcileOutcome> {
    const { records, clock } = this.#deps;
    const deadline = clock.now() + RUN_MS;
    const holder = await this.#acquire(deadline);
    try {
      return await this.#sync(deadline);
    } finally {
      await records.release(holder);
    }
  }

  /** Waits for a run that began before the change which this one is about. */
  async #acquire(deadline: number): Promise<string> {
    const { records, clock, sleep } = this.#deps;
    for (;;) {
      const holder = await records.acquire(LEASE_MS);
      if (holder !== undefined) return holder;
      if (clock.now() + WAIT_MS >= deadline) {
        throw new ServiceError(
          'views_busy',
          503,
          'Another run is changing the views of the lake. Start this one again in some minutes.',
          { retryAfterSeconds: 300 },
        );
      }
      await sleep(WAIT_MS);
    }
  }

  async #sync(deadline: number): Promise<ReconcileOutcome> {
    const { records, clock, logger } = this.#deps;
    const [state, made] = await Promise.all([this.#state(), records.list()]);
    const desired = desiredViews(state);
    if (desired.tooManySources) {
      logger.warn('no list of sources: too long for a view', { sources: state.sources.length });
    }
    const byName = new Map(made.map((view) => [view.name, view]));
    const due = (view: View): boolean => isDue(view, byName.get(view.name), clock.now());
    const run = new Steps(deadline, clock, logger);

    const replace = (view: View): Promise<void> =>
      run.step('replace', view.name, () => this.#replace(view, byName.has(view.name)));

    for (const view of desired.shared.filter(due)) await replace(view);
    // A view can only be made of views that are there.
    run.throwIfFailed();
    await mapWithConcurrency(desired.sources.filter(due), PARALLEL, replace);
    const views = [...desired.shared, ...desired.sources];
    await mapWithConcurrency(obsolete(views, made), PARALLEL, (name) =>
      run.step('drop', name, () => this.#drop(name)),
    );

    logger.info('views synchronised', { views: views.length, ...run.outcome });
    run.throwIfFailed();
    return run.outcome;
  }

  async #state(): Promise<LakeState> {
    const { registry, tables } = this.#deps;
    const [sources, watermark] = await Promise.all([registry.listSources(), registry.watermark()]);
    const schemas = new Map<string, SourceSchema>();
    await mapWithConcurrency(sources, PARALLEL_READS, async ({ token }) => {
      schemas.set(token, await registry.schema(token));
    });
    return { sources, schemas, watermark, ...(tables === undefined ? {} : { tables }) };
  }

  async #replace(view: View, known: boolean): Promise<void> {
    const { records, statements, clock } = this.#deps;
    await records.begin(view.name);
    try {
      await statements.run(replaceStatement(view), clock.now() + STATEMENT_MS);
    } catch (error) {
      // A first try that the engine refused has made nothing. To drop it later would fail for ever where
      // an analyst's table has the name.
      const refused = error instanceof ServiceError && error.code === 'query_failed';
      if (refused && !known) await records.forget(view.name);
      throw error;
    }
    const settled: MadeView = {
      name: view.name,
      hash: fingerprint(view),
      madeAt: clock.now(),
    };
    await records.finish(settled);
  }

  async #drop(name: string): Promise<void> {
    const { records, statements, clock } = this.#deps;
    await records.begin(name);
    await statements.run(dropStatement(name), clock.now() + STATEMENT_MS);
    await records.forget(name);
  }
}

/** The steps of one run: counted, ended by the deadline, and none stopped by another's failure. */
class Steps {
  #replaced = 0;
  #dropped = 0;
  #left = 0;
  readonly #failed: string[] = [];
  readonly #deadline: number;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(deadline: number, clock: Clock, logger: Logger) {
    this.#deadline = deadline;
    this.#clock = clock;
    this.#logger = logger;
  }

  get outcome(): ReconcileOutcome {
    return { replaced: this.#replaced, dropped: this.#dropped, left: this.#left };
  }

  async step(kind: 'replace' | 'drop', name: string, work: () => Promise<void>): Promise<void> {
    if (this.#clock.now() >= this.#deadline) {
      this.#left++;
      return;
    }
    try {
      await work();
    } catch (error) {
      // The registry's own failures end the run: without records no step is safe.
      if (!(error instanceof ServiceError) || error.code.startsWith('registry_')) throw error;
      this.#failed.push(name);
      this.#logger.error('view not changed', { view: name, kind, code: error.code });
      return;
    }
    if (kind === 'replace') this.#replaced++;
    else this.#dropped++;
  }

  throwIfFailed(): void {
    const [first] = this.#failed;
    if (first === undefined) return;
    throw new ServiceError(
      'views_incomplete',
      502,
      `${this.#failed.length} views of the lake could not be changed, among them "${first}". The log has the cause of each; the next run tries again.`,
    );
  }
}
