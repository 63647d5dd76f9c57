import { dirname } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { cyclesOf, filesBelow, type Import, importsOf } from './import-graph.ts';
import { MAX_FILES, RECURSIVE, ROOMS } from './rooms.ts';

const roomOf = (file: string) => file.split('/')[1] ?? '';
const show = ({ from, to }: Import) => `${from} -> ${to}`;
const ofSource = importsOf(filesBelow('src'));

describe('imports of src', () => {
  test('every file stands in a room of the table', () => {
    const rooms = filesBelow('src').map(roomOf);

    const unknown = [...new Set(rooms)].filter((room) => !(room in ROOMS));

    expect(unknown).toEqual([]);
  });

  test('a room imports only those below it', () => {
    const upwards = ofSource.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      return !to.startsWith('src/') || (room !== other && !ROOMS[room]?.includes(other));
    });

    expect(upwards.map(show)).toEqual([]);
  });

  test('no folder imports itself by way of others, but for the one recursion of a grammar', () => {
    expect(cyclesOf(ofSource)).toEqual([RECURSIVE]);
  });
});

test('functions of AWS import nothing of the local server', () => {
  const wrong = importsOf(filesBelow('lambdas')).filter(({ to }) => to.startsWith('src/local/'));

  expect(wrong.map(show)).toEqual([]);
});

test('only commands import what is in bin, so that nothing deployed has the clients of operators', () => {
  const wrong = importsOf(filesBelow('src', 'lambdas', 'lib', 'bench')).filter(({ to }) =>
    to.startsWith('bin/'),
  );

  expect(wrong.map(show)).toEqual([]);
});

test(`no folder has more than ${MAX_FILES} files`, () => {
  const files = filesBelow('src', 'test', 'lib', 'lambdas', 'bench', 'bin');
  const counts = Map.groupBy(files, dirname);

  const full = [...counts]
    .filter(([, { length }]) => length > MAX_FILES)
    .map(([folder, { length }]) => `${folder}: ${length}`);

  expect(full).toEqual([]);
});

describe('cyclesOf', () => {
  const imports = (...pairs: readonly [from: string, to: string][]) =>
    pairs.map(([from, to]) => ({ from: `${from}/file.ts`, to: `${to}/other.ts` }));

  test('finds a folder and its subfolder that import each other', () => {
    expect(cyclesOf(imports(['a', 'a/b'], ['a/b', 'a']))).toEqual([['a', 'a/b']]);
  });

  test('finds a cycle over three folders once, and not what leads to it', () => {
    expect(cyclesOf(imports(['z', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']))).toEqual([
      ['a', 'b', 'c'],
    ]);
  });

  test('finds none in imports that go one way', () => {
    expect(cyclesOf(imports(['a', 'b'], ['a', 'c'], ['b', 'c'], ['c', 'c']))).toEqual([]);
  });
});
