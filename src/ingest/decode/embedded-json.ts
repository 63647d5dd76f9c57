/** JSON inside a text that a program printed. */
import { isRawNumber, parseJsonIfAny } from '../../platform/json/json.ts';
import type { ValueBudget } from '../event/max-values.ts';

/** Levels of nesting and keys of what is taken out of a text. */
const MAX_LEVELS = 32;
const MAX_KEYS = 2000;
const MAX_KEY_LENGTH = 1000;

/** Reads the JSON in the texts of one event; keeps count, for all of them share the event's bounds. */
export class EmbeddedJson {
  readonly #budget: ValueBudget;
  #keysLeft = MAX_KEYS;

  /** @param budget of the request: past it nothing is taken out any more. */
  constructor(budget: ValueBudget) {
    this.#budget = budget;
  }

  /**
   * A text that is, or ends with, a JSON object or list, split before it. Undefined where there is
   * none, and where there is so much of it that the event would be refused for it.
   */
  split(text: string): { readonly message?: string; readonly data: unknown } | undefined {
    const end = text.trimEnd();
    if (!end.endsWith('}') && !end.endsWith(']')) return undefined;
    const brace = end.indexOf('{');
    for (const start of brace > 0 ? [0, brace] : [0]) {
      const json = end.slice(start);
      const data = this.#budget.affords(json) ? parseJsonIfAny(json) : undefined;
      if (typeof data === 'object' && data !== null && this.#takes(data, MAX_LEVELS)) {
        return start === 0 ? { data } : { message: end.slice(0, start).trimEnd(), data };
      }
    }
    return undefined;
  }

  #takes(value: unknown, levels: number): boolean {
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'object' || value === null) return true;
    if (isRawNumber(value)) return Number.isFinite(Number(value.rawJSON));
    if (levels === 0) return false;
    const members = Object.entries(value);
    this.#keysLeft -= Array.isArray(value) ? 0 : members.length;
    return (
      this.#keysLeft >= 0 &&
      members.every(
        ([key, member]) => key.length <= MAX_KEY_LENGTH && this.#takes(member, levels - 1),
      )
    );
  }
}
