/** An event that is not stored; the message says why, as in "event 3: <message>". */
export class EventRejected extends Error {
  override readonly name: string = 'EventRejected';
}

/** An event that is refused for its time alone, as far as is known. */
export class TimestampOutOfRange extends EventRejected {
  override readonly name = 'TimestampOutOfRange';
}
