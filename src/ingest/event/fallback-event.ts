/** Events of senders that cannot correct what they sent: stored in another form, not refused. */
import type { Fields } from '../../platform/json/fields.ts';
import { type EventRejected, TimestampOutOfRange } from './rejected-event.ts';

/** UTF-16 units of a part: as JSON at most 6 bytes each, so it fits into a row of 1,000,000 bytes. */
const MAX_PART_LENGTH = 150_000;

/** An event, and what is stored in its place where it would be refused. */
export class WithFallback {
  readonly event: unknown;
  /** The events to store instead; they may have a fallback in their turn. */
  readonly fallback: (refusal: EventRejected) => readonly unknown[];

  constructor(event: unknown, instead: WithFallback['fallback']) {
    this.event = event;
    this.fallback = instead;
  }
}

/** What a fallback event keeps beside its text; all of it has to be small. */
export interface FallbackFields extends Readonly<Fields> {
  readonly id?: string | undefined;
  readonly timestamp?: unknown;
  /** Goes before the reason of the refusal. */
  readonly ingest_problem?: string | undefined;
}

/**
 * An event that is stored whatever it holds. Where its time is the trouble, it gets that of its
 * arrival; where anything else is, its text is the message, in several events if it is long. Either
 * way `ingest_problem` says why.
 *
 * @param text what was sent, as text.
 */
export function withFallback(
  event: Readonly<Fields>,
  text: () => string,
  kept: FallbackFields,
): WithFallback {
  return new WithFallback(event, (refusal) => {
    if (!(refusal instanceof TimestampOutOfRange)) return textEvents(text(), kept, refusal.message);
    const { timestamp: _event, ...others } = event;
    const { timestamp: _kept, ...small } = kept;
    const problem = refusal.message;
    return [
      new WithFallback({ ...others, ingest_problem: problem }, () =>
        textEvents(text(), small, problem),
      ),
    ];
  });
}

/**
 * A text as the message of an event, or of as many events as it takes; those are numbered by
 * `ingest_part` of `ingest_parts`, and by their ids.
 */
export function textEvents(
  text: string,
  kept: FallbackFields,
  problem: string,
): readonly unknown[] {
  const parts = splitText(text);
  return parts.map((part, index) => ({
    ...kept,
    event_message: part,
    ingest_problem: kept.ingest_problem ?? problem,
    ...(parts.length > 1 && {
      ...(kept.id !== undefined && { id: `${kept.id}-${index + 1}` }),
      ingest_part: index + 1,
      ingest_parts: parts.length,
    }),
  }));
}

/** Parts of bounded length, none of which ends between the halves of a surrogate pair. */
function splitText(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  do {
    const cut = start + MAX_PART_LENGTH;
    const end = cut < text.length && isPairAt(text, cut - 1) ? cut - 1 : cut;
    parts.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return parts;
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
