/** The sources that the rules of another one copy events to. */

import type { Registry } from '../../catalog/types.ts';
import { rowFrame } from '../../lake/rows/row.ts';
import type { SchemaInference } from '../../lake/schema/schema-inference.ts';
import type { Logger } from '../../platform/log.ts';
import type { Matcher } from '../../sql/lql/match/matcher.ts';
import type { Destination } from '../encode/bounded-row.ts';
import type { CompiledRule, CompiledSettings } from '../transforms/compile-settings.ts';
import type { SettingsCache } from '../transforms/settings-cache.ts';

/** A source that gets copies, and of which events. */
export interface Route extends Destination {
  /** Whether any of the rules that name the sink fits. */
  readonly matches: Matcher;
  /** The sink's own. */
  readonly settings: CompiledSettings | undefined;
}

/** Sinks that are reported as deleted once each; ids of sources come and go. */
const MAX_REPORTED = 1000;

interface RouteTargetsDeps {
  readonly registry: Pick<Registry, 'sourceByToken'>;
  readonly inference: SchemaInference;
  readonly settings: SettingsCache;
  readonly logger: Logger;
}

export class RouteTargets {
  readonly #deps: RouteTargetsDeps;
  readonly #reported = new Set<string>();

  constructor(deps: RouteTargetsDeps) {
    this.#deps = deps;
  }

  /**
   * A route to each sink of some rules. One that was deleted is left out, and logged once.
   *
   * @throws ServiceError `registry_unavailable` when it cannot be known which sinks there are.
   */
  async open(rules: readonly CompiledRule[], nowMs: number): Promise<readonly Route[]> {
    const bySink = Map.groupBy(rules, ({ sink }) => sink);
    const routes = [...bySink].map(([sink, some]) => this.#open(sink, some, nowMs));
    return (await Promise.all(routes)).filter((route) => route !== undefined);
  }

  async #open(
    token: string,
    rules: readonly CompiledRule[],
    nowMs: number,
  ): Promise<Route | undefined> {
    const source = await this.#deps.registry.sourceByToken(token);
    if (source === undefined) {
      this.#report(token);
      return undefined;
    }
    return {
      schema: await this.#deps.inference.open(token),
      frame: rowFrame(token, nowMs),
      settings: await this.#deps.settings.of(source),
      matches: (event) => rules.some((rule) => rule.matches(event)),
    };
  }

  #report(sink: string): void {
    if (this.#reported.has(sink) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(sink);
    this.#deps.logger.warn(
      'Rules copy events to a source that does not exist; they are passed over',
      {
        sink,
      },
    );
  }
}
