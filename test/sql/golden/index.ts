import { COLUMNS } from './columns.ts';
import { CONVERSIONS } from './conversions.ts';
import { COUNTED } from './counts.ts';
import { DEEP } from './deep.ts';
import { FIELD_TYPES } from './field-types.ts';
import type { Golden } from './golden.ts';
import { GROUPING } from './grouping.ts';
import { JOINS } from './joins.ts';
import { MEMBERS } from './members.ts';
import { MIXED } from './mixed.ts';
import { NESTED } from './nested.ts';
import { NOT_A_NUMBER } from './not-a-number.ts';
import { QUALIFY } from './qualify.ts';
import { SETS } from './sets.ts';
import { SIZES } from './sizes.ts';
import { STRUCTS_AND_STARS } from './structs.ts';
import { TIME } from './time.ts';
import { VALUES } from './values.ts';

/** All of them, by topic. */
export const GOLDEN: Readonly<Record<string, readonly Golden[]>> = {
  'columns of a source': COLUMNS,
  'nested data': NESTED,
  joins: JOINS,
  'types of fields': FIELD_TYPES,
  'fields of several types': MIXED,
  grouping: GROUPING,
  qualify: QUALIFY,
  'set operations and subqueries': SETS,
  time: TIME,
  values: VALUES,
  conversions: CONVERSIONS,
  members: MEMBERS,
  counted: COUNTED,
  'not a number': NOT_A_NUMBER,
  sizes: SIZES,
  'functions within functions': DEEP,
  'structs and stars': STRUCTS_AND_STARS,
};
