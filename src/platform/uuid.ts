const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the hyphenated form of a UUID, of any version and case (RFC 9562 4). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
