import { COLUMNS } from './columns.ts';
import { CONVERSIONS } from './conversions.ts';
import { COUNTED } from './counts.ts';
import { DEEP } from './deep.ts';
import type { Golden } from './golden.ts';
import { GROUPING } from './grouping.ts';
import { JOINS } from './joins.ts';
import { MEMBERS } from './members.ts';
import { NESTED } from './nested.ts';
import { QUALIFY } from './qualify.ts';
import { SETS } from './sets.ts';
import { STRUCTS_AND_STARS } from './structs.ts';
import { TIME } from './time.ts';
import { VALUES } from './values.ts';

/** All of them, by topic. */
export const GOLDEN: Readonly<Record<string, readonly Golden[]>> = {
  'columns of a source': COLUMNS,
  'nested data': NESTED,
  joins: JOINS,
  grouping: GROUPING,
  qualify: QUALIFY,
  'set operations and subqueries': SETS,
  time: TIME,
  values: VALUES,
  conversions: CONVERSIONS,
  members: MEMBERS,
  counted: COUNTED,
  'functions within functions': DEEP,
  'structs and stars': STRUCTS_AND_STARS,
};
