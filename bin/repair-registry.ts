/**
 * Repairs the registry of a data directory that the service cannot open: `npm run repair-registry -- .sluice/registry`.
 * Keeps a copy, then has LevelDB make of its files what can be made; what a damaged block held is lost.
 */
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('Say which: npm run repair-registry -- .sluice/registry');
  process.exit(1);
}
const copy = `${directory}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
await cp(directory, copy, { recursive: true, errorOnExist: true });
const require = createRequire(import.meta.url);
const level = createRequire(createRequire(require.resolve('dynalite')).resolve('level'));
const { ClassicLevel } = level('classic-level') as {
  ClassicLevel: { repair(location: string): Promise<void> };
};
await ClassicLevel.repair(directory);
console.log(`${directory} was repaired. What it was before is in ${copy}.`);
