import type { RoutingRule, SourceSettings } from '../../catalog/types.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Matcher } from '../../sql/lql/match/matcher.ts';
import type { NormalizedEvent } from '../normalize/normalized-event.ts';
import { copyFields, parseCopies } from './copy-fields.ts';
import { customMessage, parseMessageKeys } from './custom-message.ts';
import { dropFields, parseDrops } from './drop-fields.ts';

/** A rule that can be tried. */
export interface CompiledRule extends RoutingRule {
  readonly matches: Matcher;
}

/** What the settings of a source make of its events. Nothing here changes the event that it is given. */
export interface CompiledSettings {
  /**
   * The event with its fields copied and dropped.
   *
   * @param nowMs arrival, milliseconds since the epoch.
   * @throws EventRejected when the copies are too large, or the time that they make lies out of time.
   */
  transform(event: NormalizedEvent, nowMs: number): NormalizedEvent;
  /** The event with its custom message; undefined when the drop filter fits it. */
  receive(event: NormalizedEvent): NormalizedEvent | undefined;
  readonly rules: readonly CompiledRule[];
}

export function hasSettings(settings: SourceSettings): boolean {
  return (
    settings.transform_copy_fields !== null ||
    settings.transform_drop_fields !== null ||
    settings.custom_event_message_keys !== null ||
    settings.drop_lql_string !== null ||
    settings.rules.length > 0
  );
}

/**
 * Compiles the settings of a source. LQL was parsed when it was saved; a text that an older release took
 * and this one does not is logged and fits no event, so that none is lost or refused for it.
 *
 * LQL and its patterns are loaded when a source has any: they would be a quarter of what a cold start of
 * ingest reads.
 *
 * @param source token of the source, for the log.
 */
export async function compileSettings(
  settings: SourceSettings,
  source: string,
  logger: Logger,
): Promise<CompiledSettings> {
  const matcher = async (lql: string): Promise<Matcher> => {
    const { parseMatcher } = await import('../../sql/lql/match/matcher.ts');
    try {
      return parseMatcher(lql);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      logger.error('A filter in the settings of a source cannot be read', {
        source,
        error: error.message,
      });
      return () => false;
    }
  };
  const copies = parseCopies(settings.transform_copy_fields ?? '');
  const drops = parseDrops(settings.transform_drop_fields ?? '');
  const keys = parseMessageKeys(settings.custom_event_message_keys ?? '');
  const lql = settings.drop_lql_string;
  const isDropped = lql === null ? () => false : await matcher(lql);
  const rules = settings.rules.map(async (rule) => ({
    ...rule,
    matches: await matcher(rule.lql_string),
  }));
  return {
    transform: (event, nowMs) => dropFields(copyFields(event, copies, nowMs), drops),
    receive(event) {
      if (isDropped(event.fields)) return undefined;
      return keys.length === 0 ? event : customMessage(event, keys);
    },
    rules: await Promise.all(rules),
  };
}
