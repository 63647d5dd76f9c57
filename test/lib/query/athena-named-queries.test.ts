import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { resources, synthesise, text } from '../stacks.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise());
});

describe('the saved queries', () => {
  const saved = () => Object.values(resources(service, 'AWS::Athena::NamedQuery'));

  test("are in the analysts' workgroup, over the lake's database", () => {
    expect(saved().length).toBeGreaterThan(5);
    for (const { Properties, DependsOn } of saved()) {
      expect(Properties.WorkGroup).toBe('sluice-prod-analysts');
      expect(text(Properties.Database)).toBe('LakeDatabase');
      expect([DependsOn].flat().map((id) => text({ Ref: id }))).toEqual(['WorkgroupsAnalysts']);
    }
  });

  test('have names that differ and say what they show', () => {
    const names = saved().map(({ Properties }) => Properties.Name);
    expect(new Set(names).size).toBe(names.length);
    for (const { Properties } of saved()) {
      expect(Properties.Description.length).toBeGreaterThan(20);
      // What Athena takes at most.
      expect(Properties.Name.length).toBeLessThanOrEqual(128);
      expect(Properties.Description.length).toBeLessThanOrEqual(1_024);
    }
  });

  test('bound what they scan by the day of arrival', () => {
    for (const { Properties } of saved()) {
      expect(Properties.QueryString).toMatch(/\bdt >= current_date - INTERVAL/);
    }
  });
});
