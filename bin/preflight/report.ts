import type { Finding } from './run-checks.ts';
import type { State } from './verdict.ts';

const WORDS: Readonly<Record<State, string>> = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  unchecked: 'not checked',
};

/** The findings as a table, and what they come to, as lines for a terminal. */
export function report(title: string, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const stateWidth = Math.max(...Object.values(WORDS).map(({ length }) => length)) + 2;
  const lines = findings.flatMap(({ check, verdict: { state, says, mend = [] } }) => [
    WORDS[state].padEnd(stateWidth) + check.padEnd(width) + says,
    ...mend.map((line) => `${' '.repeat(stateWidth + width)}> ${line}`),
  ]);
  return `${[title, '', ...lines, '', summary(findings)].join('\n')}\n`;
}

function summary(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter(({ verdict }) => verdict.state === state).length;
  const said = (['failed', 'warning', 'unchecked'] as const)
    .map((state) => ({ state, n: count(state) }))
    .filter(({ n }) => n > 0)
    .map(
      ({ state, n }) =>
        `${n} ${state === 'warning' && n > 1 ? 'warnings' : WORDS[state].toLowerCase()}`,
    );
  const found = said.length === 0 ? 'All is as it has to be.' : `${said.join(', ')}.`;
  return count('failed') === 0
    ? `${found} It can be deployed.`
    : `${found} Mend what failed before you deploy.`;
}

/** 1 when something failed. */
export function exitCode(findings: readonly Finding[]): number {
  return findings.some(({ verdict }) => verdict.state === 'failed') ? 1 : 0;
}
