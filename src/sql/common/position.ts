import { SqlError } from './sql-error.ts';

/** 1-based line and column of an offset, as editors count them. */
function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let i = text.indexOf('\n'); i !== -1 && i < offset; i = text.indexOf('\n', i + 1)) {
    line += 1;
    lineStart = i + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** Makes the error of a fault at an offset of a text. */
export function sqlErrorAt(text: string, offset: number, code: string, message: string): SqlError {
  return new SqlError(code, message, positionAt(text, offset));
}
