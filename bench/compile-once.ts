/** A process that loads the compiler, compiles one query, and ends: arguments are both texts. */
import { compile } from '../src/sql/compile.ts';
import { compileInput } from './compile-input.ts';

const [endpoint = '', consumer = ''] = process.argv.slice(2);
if (compile(compileInput(endpoint, consumer)).text === '') throw new Error('Nothing was compiled.');
