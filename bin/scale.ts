/**
 * What gives first when the load grows, by the model in `src/scale`: the tables of `docs/scale.md`.
 * `npm run scale`; with `-- --simulate` what bursts and slow days do to the real packing, sink and
 * parking, over stand-ins of the quotas.
 */
import { parseArgs } from 'node:util';
import { beyondTable, firstTable, limitTable, loadTable } from '../src/scale/tables.ts';

const { values } = parseArgs({ options: { simulate: { type: 'boolean' } } });

if (values.simulate === true) {
  const { simulationTable } = await import('../bench/scale/scenarios.ts');
  console.log((await simulationTable()).join('\n'));
} else {
  for (const table of [loadTable(), firstTable(), limitTable(), beyondTable()]) {
    console.log(`${table.join('\n')}\n`);
  }
}
