/**
 * The template's schedules as calls of EventBridge Scheduler, made by AWS's own client for Python, which
 * comes with moto: it checks them by the service's model before moto takes them.
 */
import { expect, inject, test } from 'vitest';
import { resources, synthesise, text } from '../lib/stacks.ts';
import { callWithBoto } from './boto.ts';

const SCHEDULES = Object.entries(resources(synthesise().service, 'AWS::Scheduler::Schedule'));
const scheduler = (operation: string, input: object) =>
  callWithBoto({ url: inject('moto'), service: 'scheduler', operation, input });

/** References by the kind of ARN that stands in their place. */
const ARNS = {
  Arn: 'arn:aws:lambda:eu-west-1:123456789012:function:',
  RoleArn: 'arn:aws:iam::123456789012:role/',
} as const;

test.each(SCHEDULES)(
  '%s is taken as it is in the template',
  async (id, { Properties: schedule }) => {
    const target = Object.fromEntries(
      Object.entries(schedule.Target).map(([key, value]) => [
        key,
        key in ARNS ? ARNS[key as keyof typeof ARNS] + text(value) : value,
      ]),
    );

    await scheduler('create_schedule', { ...schedule, Name: id, Target: target });

    expect(await scheduler('get_schedule', { Name: id })).toMatchObject({
      ...schedule,
      Target: target,
      State: 'ENABLED',
    });
  },
);

test('the warmer is called every minute', async () => {
  const schedules = SCHEDULES.map(([, { Properties }]) => ({
    when: Properties.ScheduleExpression,
    target: text(Properties.Target.Arn),
  }));

  expect(schedules).toContainEqual({ when: 'rate(1 minute)', target: 'WarmerFunction' });
});

test('what the service does not allow is refused before it is sent', async () => {
  const [[, { Properties: schedule }] = ['', { Properties: {} }]] = SCHEDULES;
  const RetryPolicy = { MaximumEventAgeInSeconds: 1, MaximumRetryAttempts: 1 };
  const Target = { Arn: `${ARNS.Arn}f`, RoleArn: `${ARNS.RoleArn}r`, RetryPolicy };

  const call = scheduler('create_schedule', { ...schedule, Name: 'refused', Target });

  await expect(call).rejects.toThrow(/MaximumEventAgeInSeconds.*valid min value: 60/s);
});
