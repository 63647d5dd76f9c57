import type { DescField, DescMessage } from '@bufbuild/protobuf';

/**
 * Lets the text in messages of a type be anything: what is not UTF-8 becomes U+FFFD, as in JSON
 * bodies. proto3 would refuse the whole batch for one broken line, and the collector and some SDKs
 * pass such lines on. There is no option for it, but the library asks the descriptor of each field,
 * until it reads the first message of a type.
 */
export function acceptAnyText(type: DescMessage, seen = new Set<DescMessage>()): void {
  if (seen.has(type)) return;
  seen.add(type);
  for (const field of type.fields) {
    (field as { -readonly [Key in keyof DescField]: DescField[Key] }).utf8Validation = false;
    if (field.message !== undefined) acceptAnyText(field.message, seen);
  }
}
