/** What an error says, with what lies beneath it: fetch says only that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${reasonOf(error.cause)})`;
  return `${error.name}: ${error.message}${cause}`;
}
