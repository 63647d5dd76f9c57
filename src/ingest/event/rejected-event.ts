/** An event that is not stored; the message says why, as in "event 3: <message>". */
export class EventRefused extends Error {
  override readonly name: string = 'EventRefused';
}

/** An event that is refused for its time alone, as far as is known. */
export class OutOfTime extends EventRefused {
  override readonly name = 'OutOfTime';
}
