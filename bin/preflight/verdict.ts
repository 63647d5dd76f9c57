/** What a check came to, in words for the person who deploys. */
import { classifySdkError } from '../../src/platform/sdk-error.ts';

/**
 * - `ok`: nothing to do
 * - `warning`: a deployment works, but something is probably not as it was meant
 * - `failed`: a deployment fails, or what it makes does not work
 * - `unchecked`: AWS could not be asked
 */
export type State = 'ok' | 'warning' | 'failed' | 'unchecked';

export interface Verdict {
  readonly state: State;
  /** One or two sentences without a line break. */
  readonly says: string;
  /** What mends it, line by line: commands for a shell, or a sentence where no command does. */
  readonly mend?: readonly string[];
}

export const ok = (says: string): Verdict => ({ state: 'ok', says });
export const warning = (says: string, ...mend: readonly string[]): Verdict => ({
  state: 'warning',
  says,
  mend,
});
export const failed = (says: string, ...mend: readonly string[]): Verdict => ({
  state: 'failed',
  says,
  mend,
});
export const unchecked = (says: string): Verdict => ({ state: 'unchecked', says });

/** An answer of AWS in which something is missing, a proxy's for one. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

const DENIED = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationErrorException',
  'UnauthorizedException',
  'UnauthorizedOperation',
]);

/**
 * A verdict about a call that failed for another reason than the one that its check asks about. Quotes
 * the service's error code, but not its message, which is not ours to print.
 *
 * @param permissions actions that the check needs; the service's answer usually names the one that is missing
 */
export function unanswered(error: unknown, permissions: readonly string[]): Verdict {
  const { code, kind } = classifySdkError(error);
  if (DENIED.has(code)) {
    const [, action] = /not authorized to perform: ([\w-]+:\w+)/.exec(messageOf(error)) ?? [];
    return unchecked(`The permission ${action ?? permissions.join(' or ')} is missing.`);
  }
  if (kind !== 'permanent') return unchecked(`AWS did not answer (${code}). Run it again.`);
  const isAnswer = typeof error === 'object' && error !== null && '$fault' in error;
  return unchecked(
    isAnswer ? `AWS refused the question (${code}).` : `The answer could not be read (${code}).`,
  );
}

/** Whether an error is one of these of the service. */
export function isServiceError(error: unknown, ...names: readonly string[]): boolean {
  return names.includes(classifySdkError(error).code);
}

/** The text of an error, to look for something in it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
