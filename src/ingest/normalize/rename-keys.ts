/**
 * Key renaming, as Logflare does it to make BigQuery column names. Saved
 * queries name fields by the result, so it is kept to the letter.
 */

const RESERVED_PREFIX =
  /^(?:_TABLE_|_FILE_|_PARTITION|_ROW_TIMESTAMP|__ROOT__|_COLIDENTIFIER|_CHANGE_SEQUENCE_NUMBER|_CHANGE_TYPE|_CHANGE_TIMESTAMP)/;

const MAX_NAME_BYTES = 128;

/**
 * The stored name of a key: `user-agent` becomes `_user_agent`, `1st` becomes `_1st`. A result is
 * its own name again unless it was cut or came to start with a reserved prefix (`TABLE_-x`).
 */
export function renameKey(key: string): string {
  if (/^[A-Za-z]\w*$/.test(key) && key.length <= MAX_NAME_BYTES) return key;
  const hasDash = key.includes('-');
  const prefixes = [
    RESERVED_PREFIX.test(key),
    hasDash,
    /[^\w-]/.test(key),
    !hasDash && /^\d/.test(key),
  ].filter(Boolean).length;
  // `u` makes a character outside the BMP one underscore, not two.
  const name = '_'.repeat(prefixes) + key.replace(/\W/gu, '_');
  return name.length > MAX_NAME_BYTES ? `_${name.slice(0, MAX_NAME_BYTES)}` : name;
}

/** Keys kept by a {@link KeyNames}; a service sees a few hundred, ids used as keys come and go. */
const MAX_REMEMBERED = 10_000;

/** Remembers names by key, because the same keys come with every event. */
export class KeyNames {
  readonly #names = new Map<string, string>();

  nameOf(key: string): string {
    return this.#names.get(key) ?? this.#remember(key);
  }

  #remember(key: string): string {
    const name = renameKey(key);
    // Starting over costs less than tracking which keys are old, and bounds the memory as well.
    if (this.#names.size >= MAX_REMEMBERED) this.#names.clear();
    if (key.length <= MAX_NAME_BYTES) this.#names.set(key, name);
    return name;
  }
}
