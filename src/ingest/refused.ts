/** An event that is not stored; the message says why, as in "event 3: <message>". */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}
