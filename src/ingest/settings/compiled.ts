import { ServiceError } from '../../errors.ts';
import { type Matcher, parseMatcher } from '../../lql/match/matcher.ts';
import type { Logger } from '../../ports.ts';
import type { RoutingRule, SourceSettings } from '../../registry/types.ts';
import { copyFields, parseCopies } from './copy.ts';
import { customMessage, parseMessageKeys } from './custom-message.ts';
import { dropFields, parseDrops } from './drop.ts';
import type { NormalEvent } from './normal-event.ts';

/** A rule that can be tried. */
export interface CompiledRule extends RoutingRule {
  readonly matches: Matcher;
}

/** What the settings of a source make of its events. Nothing here changes the event that it is given. */
export interface CompiledSettings {
  /** The event with its fields copied and dropped. @throws EventRefused when the copies are too large. */
  transform(event: NormalEvent): NormalEvent;
  /** The event with its custom message; undefined when the drop filter fits it. */
  receive(event: NormalEvent): NormalEvent | undefined;
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
 * @param source token of the source, for the log.
 */
export function compileSettings(
  settings: SourceSettings,
  source: string,
  logger: Logger,
): CompiledSettings {
  const matcher = (lql: string): Matcher => {
    try {
      return parseMatcher(lql);
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        throw error;
      }
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
  const isDropped = lql === null ? () => false : matcher(lql);
  return {
    transform: (event) => dropFields(copyFields(event, copies), drops),
    receive(event) {
      if (isDropped(event.fields)) {
        return undefined;
      }
      return keys.length === 0 ? event : customMessage(event, keys);
    },
    rules: settings.rules.map((rule) => ({ ...rule, matches: matcher(rule.lql_string) })),
  };
}
