/** The candidate that differs least from a name, if it is near enough to be meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  return nearestFew(name, candidates, 1)[0];
}

/** Those candidates that are near enough to a name to be meant, the nearest first. */
export function nearestFew(
  name: string,
  candidates: Iterable<string>,
  most: number,
): readonly string[] {
  const wanted = name.toLowerCase().slice(0, 64);
  const farthest = Math.max(1, Math.floor(wanted.length / 3));
  return [...candidates]
    .map((candidate) => ({
      candidate,
      distance: editDistance(wanted, candidate.toLowerCase().slice(0, 64)),
    }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Edits between two words, a swap of neighbours counting as one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (previous[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (previous[j - 1] ?? 0) + change,
          swapped ? (beforePrevious[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
