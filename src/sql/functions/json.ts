import { constant, isConst } from '../build.ts';
import type { Expr } from '../tree.ts';
import { DYNAMIC, STRING } from '../types.ts';
import type { SpecialCall, SpecialFunction } from './function.ts';

/** `$`, `$.a.b`, `$['a']`, `$[0]`: the paths of BigQuery's JSON functions. */
export function parseJsonPath(path: string): string[] | undefined {
  if (!path.startsWith('$')) {
    return undefined;
  }
  const parts: string[] = [];
  const step = /\.(?:"([^"]*)"|([A-Za-z0-9_$@-]+))|\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/y;
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) {
      return undefined;
    }
    const index = match[5];
    parts.push(
      index === undefined ? (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '') : `[${index}]`,
    );
    at = step.lastIndex;
  }
  return parts;
}

function pathOf(call: SpecialCall): string[] {
  if (call.count < 2) {
    return [];
  }
  const path = call.argAs(1, STRING);
  const parts =
    isConst(path) && typeof path.value === 'string' ? parseJsonPath(path.value) : undefined;
  if (parts === undefined) {
    throw call.fail("The path must be a literal such as '$.field' or '$.list[0].field'");
  }
  return parts;
}

function read(call: SpecialCall, type: typeof STRING): Expr {
  const path = pathOf(call);
  const value = call.arg(0);
  if (value.op === 'json') {
    const full = [...value.path, ...path];
    return type.kind === 'dynamic'
      ? { op: 'json_path', type, text: value.document.text(), path: full }
      : value.document.scalar(full, type);
  }
  const text = value.type.kind === 'dynamic' ? value : call.coerce(value, STRING);
  return isConst(text) && text.value === null
    ? constant(type, null)
    : { op: 'json_path', type, text, path };
}

const scalar = (name: string): SpecialFunction => ({ name, bind: (call) => read(call, STRING) });
const json = (name: string): SpecialFunction => ({ name, bind: (call) => read(call, DYNAMIC) });

export const JSON_FUNCTIONS: readonly SpecialFunction[] = [
  scalar('json_value'),
  scalar('json_extract_scalar'),
  json('json_query'),
  json('json_extract'),
  json('parse_json'),
  {
    name: 'to_json_string',
    bind: (call) => {
      const value = call.coerce(call.arg(0), DYNAMIC);
      return value.op === 'json'
        ? {
            op: 'cast',
            type: STRING,
            arg: { op: 'json_path', type: DYNAMIC, text: value.document.text(), path: value.path },
            safe: false,
          }
        : { op: 'cast', type: STRING, arg: value, safe: false };
    },
  },
];
