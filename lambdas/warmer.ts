import { Warmer } from '../src/endpoints/warmer.ts';
import { readEnvironment } from './environment.ts';
import { queryingParts } from './querying.ts';

const warmer = new Warmer(queryingParts(readEnvironment('warmer')));

/** Called every minute. What could not be refreshed is logged, and due again in the next minute. */
export const handler = () => warmer.runOnce();
