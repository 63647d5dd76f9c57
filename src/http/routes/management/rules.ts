import { randomUUID } from 'node:crypto';
import { timestampAfter } from '../../../catalog/timestamp-after.ts';
import type { Registry, RoutingRule, Source } from '../../../catalog/types.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/uuid.ts';
import { refuseBackend } from './backends.ts';
import { readFields } from './fields.ts';
import { IGNORED_OF_RULES } from './ignored-fields.ts';
import type { JsonObject } from './request-body.ts';
import type { Resource } from './resource.ts';
import { newRule, ruleChange } from './rule-fields.ts';

/** Every event of a source is tried on all of them. */
const MAX_RULES = 100;

/** A rule, and the sources that hold it: one, but for a move that broke off. */
interface Found {
  readonly rule: RoutingRule;
  readonly holders: readonly [Source, ...Source[]];
}

/** Routing rules. Each is kept within its source, so that ingest reads it along with that. */
export class Rules implements Resource {
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(deps: { registry: Registry; clock: Clock }) {
    this.#registry = deps.registry;
    this.#clock = deps.clock;
  }

  async list(): Promise<object[]> {
    const sources = await this.#registry.listSources();
    return sources.flatMap((source) => source.rules.map((rule) => render(rule, source)));
  }

  /** @throws ServiceError `not_found` when the source or the sink does not exist. */
  async create(body: JsonObject): Promise<object> {
    refuseBackend(body);
    const { source_id: token, ...fields } = readFields(newRule, body, IGNORED_OF_RULES);
    const source = await this.#source(token);
    const rule = { token: randomUUID(), ...fields };
    await this.#checkSink(rule, source);
    await this.#save(source, [...source.rules, rule]);
    return render(rule, source);
  }

  async show(token: string): Promise<object> {
    const { rule, holders } = await this.#find(token);
    return render(rule, holders[0]);
  }

  /** A rule with another `source_id` moves there. */
  async update(token: string, body: JsonObject): Promise<object> {
    refuseBackend(body);
    const { rule, holders } = await this.#find(token);
    const { source_id: moved = holders[0].token, ...fields } = readFields(
      ruleChange,
      body,
      IGNORED_OF_RULES,
    );
    const source = await this.#source(moved);
    const changed = { ...rule, ...fields };
    await this.#checkSink(changed, source);
    const isThere = source.rules.some((known) => known.token === rule.token);
    // The new place first: a move that breaks off leaves the rule in both, and is finished by the next.
    await this.#save(
      source,
      isThere
        ? source.rules.map((known) => (known.token === rule.token ? changed : known))
        : [...source.rules, changed],
    );
    await this.#removeFrom(
      holders.filter((holder) => holder.token !== source.token),
      rule,
    );
    return render(changed, source);
  }

  async remove(token: string): Promise<void> {
    const { rule, holders } = await this.#find(token);
    await this.#removeFrom(holders, rule);
  }

  async #find(token: string): Promise<Found> {
    const id = token.toLowerCase();
    const sources = await this.#registry.listSources();
    const [first, ...others] = sources.filter(({ rules }) =>
      rules.some((rule) => rule.token === id),
    );
    const rule = first?.rules.find((known) => known.token === id);
    if (first === undefined || rule === undefined) throw notFound();
    return { rule, holders: [first, ...others] };
  }

  async #source(token: string): Promise<Source> {
    const source = isUuid(token)
      ? await this.#registry.sourceByToken(token, { fresh: true })
      : undefined;
    if (source === undefined) throw notFound();
    return source;
  }

  async #checkSink({ sink }: RoutingRule, source: Source): Promise<void> {
    if (sink === source.token) throw new ValidationError({ sink: ['cannot be the source itself'] });
    await this.#source(sink);
  }

  async #save(source: Source, rules: readonly RoutingRule[]): Promise<void> {
    if (rules.length > MAX_RULES) {
      throw new ValidationError({ source_id: [`has ${MAX_RULES} rules, and that is the most`] });
    }
    const updatedAt = timestampAfter(this.#clock, source.updatedAt);
    await this.#registry.updateSource({ ...source, rules, updatedAt }, source);
  }

  async #removeFrom(holders: readonly Source[], rule: RoutingRule): Promise<void> {
    for (const holder of holders) {
      await this.#save(
        holder,
        holder.rules.filter(({ token }) => token !== rule.token),
      );
    }
  }
}

/** `id`, a row number at Logflare, is the token. */
function render({ token, lql_string, sink }: RoutingRule, source: Source): object {
  return { id: token, token, source_id: source.token, lql_string, sink };
}
