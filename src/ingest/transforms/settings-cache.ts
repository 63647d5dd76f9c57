import type { Source, SourceSettings } from '../../catalog/types.ts';
import type { Logger } from '../../platform/log.ts';
import { type CompiledSettings, compileSettings, hasSettings } from './compile-settings.ts';

/** Sources whose settings are kept compiled; the one compiled first goes first. */
const MAX_SOURCES = 500;

/** What of a source decides how its events are stored; without more than a token, as they come. */
export type IngestSource =
  | Pick<Source, 'token'>
  | (Pick<Source, 'token' | 'updatedAt'> & SourceSettings);

interface Entry {
  readonly updatedAt: string;
  readonly settings: CompiledSettings;
}

/** Settings as compiled when a source was first seen in its present state. */
export class SettingsCache {
  readonly #logger: Logger;
  readonly #entries = new Map<string, Entry>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Undefined for a source that stores its events as they come, which costs nothing to find out. */
  async of(source: IngestSource): Promise<CompiledSettings | undefined> {
    if (!('updatedAt' in source) || !hasSettings(source)) return undefined;
    const { token, updatedAt } = source;
    const known = this.#entries.get(token);
    if (known?.updatedAt === updatedAt) return known.settings;
    const settings = await compileSettings(source, token, this.#logger);
    const [oldest] = this.#entries.keys();
    if (!this.#entries.has(token) && this.#entries.size >= MAX_SOURCES && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
    this.#entries.set(token, { updatedAt, settings });
    return settings;
  }
}
